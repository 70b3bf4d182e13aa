import { randomUUID } from 'node:crypto'
import { Problem } from '@tillside/contract/integration/problems'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { type RefusedItem } from '@tillside/contract/integration/batch'
import {
  type IntegrationEndpoint,
  integrationBase,
  scopes,
  storeHeader,
} from '@tillside/contract/integration/endpoint'
import * as z from 'zod/mini'
import { createKey, type KeyTerms } from '../../staff/keys/key.ts'
import type { TestCompany } from './company.ts'

/** Creates a key with all scopes and stores; `terms` overrides them. */
export function testKey(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  terms: Partial<KeyTerms> = {},
): Promise<{ keyId: string; key: string }> {
  return database.transaction(id, (tx) =>
    createKey(tx, id, { name: 'test', scopes, stores: null, ...terms }),
  )
}

/** The answer to a key: the data of a success, or the problem. */
export type KeyAnswer = {
  status: number
  /** 0, or the name of the problem. */
  code: 0 | string
  /** Null for a problem, or for 304. */
  data: unknown
  problem: Problem | null
  headers: Record<string, unknown>
  /** As it was sent. */
  text: string
}

/**
 * Calls an endpoint of the integration interface over HTTP, in store S1, with a new
 * Idempotency-Key. A text body is sent unchanged.
 */
export async function callWithKey(
  { app }: Pick<TestCompany, 'app'>,
  endpoint: IntegrationEndpoint,
  input: unknown,
  key: string | null,
  headers: Record<string, string> = {},
): Promise<KeyAnswer> {
  const { method } = endpoint
  const parsed = z.record(z.string(), z.unknown()).safeParse(input)
  const given = parsed.success ? parsed.data : {}
  const isInPath = (name: string) => endpoint.path.includes(`{${name}}`)
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !isInPath(name)))
  const body = parsed.success ? rest : input
  const url = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(z.coerce.string().parse(given[name] ?? 'none')),
  )
  const response = await app.inject({
    method,
    url: integrationBase + url,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      [storeHeader]: 'S1',
      [idempotencyHeader]: randomUUID(),
      ...headers,
    },
    ...(method === 'GET'
      ? { query: z.record(z.string(), z.coerce.string()).parse(rest) }
      : { payload: typeof input === 'string' ? input : JSON.stringify(body) }),
  })
  const { statusCode: status, payload: text } = response
  const isProblem = status >= 400
  const problem = isProblem ? Problem.parse(response.json()) : null
  return {
    status,
    code: problem?.code ?? 0,
    data: isProblem || text === '' ? null : response.json(),
    problem,
    headers: response.headers,
    text,
  }
}

/** Sends items and returns the result of each. @throws Error if the whole request is refused */
export async function sendItems<E extends IntegrationEndpoint>(
  company: Pick<TestCompany, 'app'>,
  endpoint: E,
  items: readonly unknown[],
  key: string,
): Promise<z.output<E['data']>> {
  const answer = await callWithKey(company, endpoint, { items }, key)
  if (answer.code !== 0) throw new Error(`${endpoint.path} answered ${answer.code}`)
  return z.parse<E['data']>(endpoint.data, answer.data)
}

/** `reason path:reason …` of a refused item, otherwise its outcome. */
export function itemResult(item: { outcome: string } | RefusedItem): string {
  if (!('fields' in item)) return item.outcome
  return [item.reason, ...item.fields.map(({ path, reason }) => `${path}:${reason}`)].join(' ')
}
