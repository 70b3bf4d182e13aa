import { createHash, randomBytes } from 'node:crypto'
import type { Token } from '../kit/serve.ts'

// A token is the company's id and 256 random bits. The id is no secret: it tells which company's
// wall to look behind before anything is known, so that no look-up ever has to see across
// companies.

const idBytes = 16
const secretBytes = 32

/** Makes a token for one company; only its hash is ever stored. */
export function makeToken(companyId: string): { token: string; hash: Buffer } {
  const id = Buffer.from(companyId.replaceAll('-', ''), 'hex')
  const token = Buffer.concat([id, randomBytes(secretBytes)])
  return { token: token.toString('base64url'), hash: hashOf(token) }
}

/** Reads `Bearer …`; null when it has not the form of a token of ours. */
export function readToken(authorization: string | undefined): Token | null {
  const text = /^Bearer ([\w-]{64})$/i.exec(authorization ?? '')?.[1]
  if (text === undefined) return null
  const token = Buffer.from(text, 'base64url')
  const id = token.subarray(0, idBytes).toString('hex')
  const companyId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { companyId, hash: hashOf(token) }
}

function hashOf(token: Buffer): Buffer {
  return createHash('sha256').update(token).digest()
}
