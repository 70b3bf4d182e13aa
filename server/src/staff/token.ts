import { hash as digest, randomBytes } from 'node:crypto'
import { LruMap } from 'toad-cache'
import { hashOfAuthorization } from '../values/authorization.ts'
import { bytesOfId, idOfBytes } from '../values/id.ts'
import type { Token } from '../http/request.ts'

// A token consists of the company's id, the staff member's id and 256 random bits. The ids are not
// secret. They are needed before the session is read: they select the company and the owner of an
// idempotency key. Only the hash of the whole token opens a session.

const secretBytes = 32
/** By the hash of their header: tokens that were parsed lately. */
const parsed = new LruMap<Token>(2_000)

/** Creates a token for one staff member, for a session or a link. Only its hash is ever stored. */
export function makeToken(companyId: string, staffId: string): { token: string; hash: Buffer } {
  const token = Buffer.concat([bytesOfId(companyId), bytesOfId(staffId), randomBytes(secretBytes)])
  return { token: token.toString('base64url'), hash: hashOf(token) }
}

/** Parses `Bearer …`; null when it does not have the form of a token. */
export function readToken(authorization: string | undefined): Token | null {
  const hash = hashOfAuthorization(authorization)
  const known = parsed.get(hash)
  if (known !== undefined) return known
  const text = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  const token = text === undefined ? null : parseToken(text)
  if (token !== null) parsed.set(hash, token)
  return token
}

/** Parses a token as a link contains it; null when it does not have the form of a token. */
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
  return digest('sha256', token, 'buffer')
}
