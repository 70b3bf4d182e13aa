import { Envelope } from '@tillside/contract/wire/endpoint'
import {
  type IntegrationEndpoint,
  integrationBase,
  type RefusedItem,
  scopes,
} from '@tillside/contract/integration'
import * as z from 'zod/mini'
import { createKey, type KeyTerms } from '../../integration/key.ts'
import type { Answer, TestCompany } from './company.ts'

/** Creates a key with all scopes and stores; `terms` overrides them. */
export function testKey(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  terms: Partial<KeyTerms> = {},
): Promise<{ keyId: string; key: string }> {
  return database.transaction(id, (tx) =>
    createKey(tx, id, { name: 'test', scopes, stores: null, ...terms }),
  )
}

/** Calls an endpoint of the integration interface over HTTP. A text body is sent unchanged. */
export async function callWithKey(
  { app }: Pick<TestCompany, 'app'>,
  endpoint: IntegrationEndpoint,
  input: unknown,
  key: string | null,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const posts = endpoint.method === 'POST'
  const of = posts ? {} : z.record(z.string(), z.string()).parse(input)
  const response = await app.inject({
    method: endpoint.method,
    url: integrationBase + endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => of[name] ?? ''),
    query: Object.fromEntries(
      Object.entries(of).filter(([name]) => !endpoint.path.includes(`{${name}}`)),
    ),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(posts ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(posts ? { payload: typeof input === 'string' ? input : JSON.stringify(input) } : {}),
  })
  return { status: response.statusCode, ...Envelope.parse(response.json()) }
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
