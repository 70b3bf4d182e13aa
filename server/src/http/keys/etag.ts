import { hash as digest } from 'node:crypto'

/**
 * The ETag of an answer: a hash of its text, after the member's version where the answer has one.
 * A change of the member may name the version by it.
 */
export function etagOf(data: unknown, text: string): string {
  const hash = digest('sha256', text, 'base64url').slice(0, 22)
  const version = versionIn(data)
  return version === null ? `"${hash}"` : `"${version}.${hash}"`
}

function versionIn(data: unknown): number | null {
  if (typeof data !== 'object' || data === null) return null
  if ('version' in data) return typeof data.version === 'number' ? data.version : null
  return 'member' in data ? versionIn(data.member) : null
}

/** The version that a header `If-Match` names; null when it is missing or has none. */
export function versionOfEtag(header: string | undefined): number | null {
  const version = /^"(\d{1,9})\.[\w-]+"$/.exec(header ?? '')?.[1]
  return version === undefined ? null : Number(version)
}

/** Whether a header `If-None-Match` has the ETag; a weak one counts too (RFC 9110). */
export function hasEtag(header: string | undefined, etag: string): boolean {
  const named = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  const wanted = new Set(named)
  return wanted.has(etag) || wanted.has('*')
}
