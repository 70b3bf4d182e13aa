import { randomBytes } from 'node:crypto'

let last = 0n

/**
 * A UUIDv7 (RFC 9562). Its first 48 bits are the time, so rows created together are close together
 * in an index, and the ids of one process grow in the order of their creation.
 */
export function newId(): string {
  const random = randomBytes(8).readBigUInt64BE()
  // 60 bits of time: milliseconds and 12 bits of counter after them (method 3 of section 6.2).
  const now = BigInt(Date.now()) << 12n
  last = now > last ? now : last + 1n
  const [time, counter] = [last >> 12n, last & 0xfffn]
  const high = (time << 16n) | 0x7000n | counter
  const low = (random & 0x3fffffffffffffffn) | 0x8000000000000000n
  const hex = high.toString(16).padStart(16, '0') + low.toString(16).padStart(16, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The 16 bytes of a UUID, for tokens that contain ids. */
export function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** The UUID of 16 bytes. */
export function idOfBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
