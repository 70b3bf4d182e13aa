import { createHmac, timingSafeEqual } from 'node:crypto'

const macBytes = 12

/**
 * A cursor of the counter as a key's cursor, which no other key and no other list accepts.
 * @param secret the hash of the API key
 * @param list the endpoint's path with the ids of its input
 */
export function sealCursor(cursor: string, secret: Buffer, list: string): string {
  return Buffer.concat([macOf(cursor, secret, list), Buffer.from(cursor)]).toString('base64url')
}

/** The counter's cursor in a key's cursor; null when it belongs to another key or list. */
export function openCursor(text: string, secret: Buffer, list: string): string | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= macBytes) return null
  const cursor = bytes.subarray(macBytes).toString()
  const mac = macOf(cursor, secret, list)
  return timingSafeEqual(mac, bytes.subarray(0, macBytes)) ? cursor : null
}

function macOf(cursor: string, secret: Buffer, list: string): Buffer {
  return createHmac('sha256', secret).update(`${list}\n${cursor}`).digest().subarray(0, macBytes)
}
