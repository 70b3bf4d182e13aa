import { randomUUID } from 'node:crypto'
import { login, type LoginInfo } from '@tillside/contract/auth'
import { basePath, type Data, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'

/** The password of every account that the journeys know. */
export const password = 'Counter#2026'

type Options = { token?: string; key?: string }

/** Calls to the server without the browser: another till's actions, and the final state. */
export type Api = {
  /** Sends a request and returns its envelope, also for a refusal. */
  ask(endpoint: Endpoint, input: Record<string, unknown>, options?: Options): Promise<Envelope>
  /** Sends a request that must succeed and returns its data. */
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
        ...(endpoint.needsKey ? { 'idempotency-key': key } : {}),
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
