import { randomUUID } from 'node:crypto'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { type RefusedItem } from '@tillside/contract/integration/batch'
import { integrationBase, type IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import type { Goods } from '../model/lots.ts'
import type { ModelRules } from '../model/rules.ts'
import { money } from '../model/tier.ts'
import type { ModelAccount } from '../model/account.ts'
import { type Database, statement } from '../../database/database.ts'
import type { TransactionInput } from '../../transaction/input.ts'
import { type Line, receipt } from '../factories/receipt.ts'

/** The system under test: a server, its database, and its clock. */
export type TestSystem = {
  /** Returns the parsed body of the response. */
  ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<unknown>
  database: Database
  setClock(companyId: string, at: number): Promise<void>
  /** How often each outcome occurred. */
  counts: Map<string, number>
}

/** One of the companies, with a portal session and an API key. */
export type World = { id: string; rules: ModelRules; token: string; key: string }

export type Person = {
  code: string
  model: ModelAccount
  sales: { input: TransactionInput; goods: readonly Goods[] }[]
  /** The engine's entry of each spending of the model, and the coupons bought with it. */
  spendings: { entryId: string; coupons: string[] }[]
}
export type Side = World & { stage: TestSystem; people: Person[] }
/** One step: member, time, and whether the request is sent twice. */
export type Turn = { side: Side; person: Person; at: number; day: string; twice: boolean }

const readNewest = statement(
  `select e.entry_id from point_entry e join member_key k using (company_id, member_id)
   where k.company_id = $1 and k.kind = 'code' and k.value = $2 order by e.seq desc limit 1`,
  z.object({ entry_id: z.string() }),
)
const names = new Map<number, string>(Object.entries(failures).map(([name, f]) => [f.code, name]))

/** The id of the member's newest entry. */
export async function newestOf({ stage, id }: Side, memberCode: string): Promise<string> {
  const row = await stage.database.reading(id, (tx) => tx.one(readNewest, [id, memberCode]))
  return row.entry_id
}

/**
 * Calls an endpoint as the portal does. If the request is sent twice, both answers must be equal.
 */
export async function call(turn: Turn, endpoint: Endpoint, input: unknown): Promise<Envelope> {
  const { side, twice } = turn
  const headers = {
    authorization: `Bearer ${side.token}`,
    'idempotency-key': randomUUID(),
  }
  const ask = async () =>
    Envelope.parse(await side.stage.ask('POST', basePath + endpoint.path, headers, input))
  const answer = await ask()
  count(side.stage, refusalOf(answer) ?? endpoint.path)
  if (twice) expect(await ask()).toEqual(answer)
  return answer
}

export function count({ counts }: Pick<TestSystem, 'counts'>, what: string | undefined): void {
  if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1)
}

/** The refusal's name, or null. */
export function refusalOf({ code }: Envelope): string | null {
  return code === 0 ? null : (names.get(code) ?? `code ${code}`)
}

/** Sends items as a till does. */
export async function post<E extends IntegrationEndpoint>(
  { stage, key }: Side,
  endpoint: E,
  items: readonly unknown[],
): Promise<z.output<E['data']>> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await stage.ask('POST', integrationBase + endpoint.path, headers, { items })
  return z.parse<E['data']>(endpoint.data, answer)
}

/** The outcome of an item, or the reason of its refusal. */
export function outcomeOf(item: { outcome: string } | RefusedItem | undefined): string | undefined {
  return item !== undefined && 'reason' in item ? item.reason : item?.outcome
}

/** Sends a receipt. If it is sent twice, the second must change nothing. */
export async function send({ side, twice }: Turn, input: TransactionInput) {
  const [result] = (await post(side, postTransactions, [input])).items
  if (twice && result?.outcome === 'created') {
    expect((await post(side, postTransactions, [input])).unchanged).toBe(1)
  }
  count(side.stage, outcomeOf(result))
  return outcomeOf(result)
}

/** A receipt of bought and returned goods, at the current time. */
export function goodsReceipt(
  { person, at }: Turn,
  bought: readonly Goods[],
  back: readonly Goods[],
  changes: Partial<TransactionInput>,
): TransactionInput {
  const lines: Line[] = [
    ...bought.map(({ sku, cents }) => [sku, money(cents), 1] as const),
    ...back.map(({ sku, cents }) => [sku, money(cents), -1] as const),
  ]
  const occurredAt = new Date(at).toISOString()
  return receipt(lines, { memberCode: person.code, occurredAt, ...changes })
}
