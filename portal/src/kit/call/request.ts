import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import { languageHeader } from '@tillside/contract/wire/language'

// The form of a request. The script in the page's head uses it too, so it imports no library.

/** The part of an endpoint that decides the form of its requests. */
export type Line = Pick<Endpoint, 'method' | 'path' | 'inQuery'>

/** An address and a body; the body is undefined for a GET. */
export type Request = { address: string; body: string | undefined }

/** @param root the root of the API's addresses; empty: the page's own origin */
export function requestOf(root: string, endpoint: Line, input: unknown): Request {
  return {
    address: addressOf(root, endpoint, input),
    body: endpoint.method === 'POST' ? bodyOf(endpoint, input) : undefined,
  }
}

function addressOf(root: string, endpoint: Line, input: unknown): string {
  const address = root + basePath + endpoint.path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input ?? {})) {
    if (!isInQuery(endpoint, name)) continue
    // A query string carries only strings and numbers; absent values are omitted.
    if (typeof value === 'string' || typeof value === 'number') query.set(name, `${value}`)
  }
  return query.size === 0 ? address : `${address}?${query}`
}

function isInQuery({ method, inQuery = [] }: Line, name: string): boolean {
  return method === 'GET' || inQuery.includes(name)
}

function bodyOf(endpoint: Line, input: unknown): string {
  const parts = Object.entries(input ?? {}).filter(([name]) => !isInQuery(endpoint, name))
  return JSON.stringify(Object.fromEntries(parts))
}

/** What `fetch` sends with each request of one clerk. */
export function requestInit(
  { body }: Request,
  language: string,
  token: string | null,
): RequestInit & { headers: Record<string, string> } {
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      [languageHeader]: language,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    credentials: 'omit',
    cache: 'no-store',
    ...(body === undefined ? {} : { body }),
  }
}
