import { randomUUID } from 'node:crypto'

const perMs = 4096
let [lastMs, counter] = [0, 0]

/**
 * A UUIDv7 (RFC 9562). Its first 48 bits are the time, so rows created together are close together
 * in an index, and the ids of one process grow in the order of their creation.
 */
export function newId(): string {
  // 60 bits of time: milliseconds and 12 bits of counter after them (method 3 of section 6.2).
  const now = Date.now()
  if (now > lastMs) [lastMs, counter] = [now, 0]
  else if (++counter === perMs) [lastMs, counter] = [lastMs + 1, 0]
  const time = lastMs.toString(16).padStart(12, '0')
  // The last 64 bits of a UUIDv4 have the same variant and as many random bits. Node generates
  // them many at a time, and `randomBytes` one by one.
  const random = randomUUID().slice(18)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}${random}`
}

/** The 16 bytes of a UUID, for tokens that contain ids. */
export function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** The UUID of 16 bytes. */
export function idOfBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A UUID of version 8 (RFC 9562): the first 122 bits that it can have of a hash. */
export function idOfHash(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return idOfBytes(bytes)
}
