import { randomUUID } from 'node:crypto'
import { login, type LoginInfo } from '@tillside/contract/auth'
import { basePath, type Data, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'

/** The password of every account that the journeys know. */
export const password = 'Counter#2026'

type Options = { token?: string; key?: string }

/** The wire beside the browser: what another till does meanwhile, and what is true in the end. */
export type Api = {
  /** Asks and answers the envelope, whatever it says. */
  ask(endpoint: Endpoint, input: Record<string, unknown>, options?: Options): Promise<Envelope>
  /** Asks for what has to work, and answers its data. */
  data<E extends Endpoint>(
    endpoint: E,
    input: Record<string, unknown>,
    options?: Options,
  ): Promise<Data<E>>
  logIn(company: string, account?: string): Promise<LoginInfo>
}

export function apiAt(baseURL: string): Api {
  const ask: Api['ask'] = async (endpoint, input, { token, key = randomUUID() } = {}) => {
    const isGet = endpoint.method === 'GET'
    const plain = z.record(z.string(), z.string())
    const query = isGet ? `?${new URLSearchParams(plain.parse(input))}` : ''
    const response = await fetch(`${baseURL}${basePath}${endpoint.path}${query}`, {
      method: endpoint.method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(endpoint.idempotent ? { 'idempotency-key': key } : {}),
        ...(isGet ? {} : { 'content-type': 'application/json' }),
      },
      ...(isGet ? {} : { body: JSON.stringify(input) }),
    })
    return Envelope.parse(await response.json())
  }
  const data: Api['data'] = async (endpoint, input, options) => {
    const answer = await ask(endpoint, input, options)
    if (answer.code !== 0) throw new Error(`${endpoint.path}: ${answer.code} ${answer.message}`)
    return z.parse<(typeof endpoint)['data']>(endpoint.data, answer.data)
  }
  return {
    ask,
    data,
    logIn: (company, account = 'amy') => data(login, { identifier: company, account, password }),
  }
}
