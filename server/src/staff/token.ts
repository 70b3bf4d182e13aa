import { createHash, randomBytes } from 'node:crypto'
import { bytesOfId, idOfBytes } from '../values/id.ts'
import type { Token } from '../http/request.ts'

// A token is the company's id, the staff member's id and 256 random bits. The ids are no secret:
// they tell which company's wall to look behind, and whose keys to claim, before anything is known;
// only the hash of the whole opens a session.

const secretBytes = 32

/** Makes a token for one staff member, for a session or a link; only its hash is ever stored. */
export function makeToken(companyId: string, staffId: string): { token: string; hash: Buffer } {
  const token = Buffer.concat([bytesOfId(companyId), bytesOfId(staffId), randomBytes(secretBytes)])
  return { token: token.toString('base64url'), hash: hashOf(token) }
}

/** Reads `Bearer …`; null when it has not the form of a token of ours. */
export function readToken(authorization: string | undefined): Token | null {
  const text = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  return text === undefined ? null : parseToken(text)
}

/** Reads a token by itself, as a link carries it; null when it has not the form of one of ours. */
export function parseToken(text: string): Token | null {
  if (!/^[\w-]{86}$/.test(text)) return null
  const token = Buffer.from(text, 'base64url')
  return {
    companyId: idOfBytes(token.subarray(0, 16)),
    staffId: idOfBytes(token.subarray(16, 32)),
    hash: hashOf(token),
  }
}

function hashOf(token: Buffer): Buffer {
  return createHash('sha256').update(token).digest()
}
