import type { Request } from './request.ts'

/** One request of the script. `at`: the time of the answer; null while there is none. */
export type Asked = { answer: Promise<Response>; stop: AbortController; at: number | null }

/** What the script asked, and as which clerk; by address and body. */
export type Ahead = { token: string; language: string; asked: Map<string, Asked> }

declare global {
  var tillsideAhead: Ahead | undefined
}

/** The name of a request among those that the script sent. */
export function askedName({ address, body = '' }: Request): string {
  return `${address} ${body}`
}
