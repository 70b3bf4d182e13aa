import { hash as digest } from 'node:crypto'

let [last, hashOfLast] = ['', hashOf('')]

/**
 * The SHA-256 of an Authorization header, in base64, so that no process keeps tokens. The hash of
 * the last header is remembered, because several steps of a request need it.
 */
export function hashOfAuthorization(authorization = ''): string {
  if (authorization !== last) [last, hashOfLast] = [authorization, hashOf(authorization)]
  return hashOfLast
}

function hashOf(text: string): string {
  return digest('sha256', text, 'base64')
}
