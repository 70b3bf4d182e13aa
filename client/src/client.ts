import createClient, { type Client } from 'openapi-fetch'
import { fetchWithRetries } from './retry.ts'
import type { paths } from './schema.d.ts'

export type TillsideOptions = {
  /** The address of the interface, such as `https://counter.example.com/integration/v1`. */
  baseUrl: string
  /** An API key. Keep it on a server: a browser shows it to its user. */
  key: string
  /** The code of the store in which calls act; not needed by a key of one store. */
  store?: string
  /** The language of problems, such as `zh-HK`. */
  language?: string
  /** How often a request without an answer is repeated; 4 by default. */
  retries?: number
  /** By default the global one. */
  fetch?: (request: Request) => Promise<Response>
}

/** Typed calls by method and path, as `openapi-fetch` describes them. */
export type Tillside = Client<paths>

/**
 * A client of Tillside's integration interface. A call without an answer is repeated with the same
 * Idempotency-Key. Choose the key before the call and keep it, so that a repeat after a crash of
 * your program is the same action too.
 */
export function createTillside(options: TillsideOptions): Tillside {
  const { baseUrl, key, store, language, retries = 4 } = options
  const plain = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  return createClient<paths>({
    baseUrl,
    fetch: fetchWithRetries(plain, retries),
    headers: {
      authorization: `Bearer ${key}`,
      ...(store === undefined ? {} : { 'tillside-store': store }),
      ...(language === undefined ? {} : { 'user-language': language }),
    },
  })
}
