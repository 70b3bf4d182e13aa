import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { lockOf } from '../../database/lock.ts'

// How many of a gift or a coupon were issued. The count is a row of its own: a definition has a
// copy on every node of a cluster, and a lock or a change of it would hold all of them.

/** A gift by its id, or a coupon by the id of its definition. */
export type Item = readonly [kind: 'gift' | 'coupon', id: string]

const Issued = z.object({ issued: z.int() })
const readIssued = statement(
  'select issued from stock where company_id = $1 and kind = $2 and item_id = $3',
  Issued,
)
const lockIssued = lockOf(
  'stock',
  ['company_id', 'kind', 'item_id'],
  `${readIssued.text} for no key update`,
  Issued,
)
const openStock = statement(
  `insert into stock (company_id, kind, item_id) values ($1, $2, $3)
   on conflict (company_id, kind, item_id) do nothing`,
  z.unknown(),
)
const add = statement(
  'select count_issued($1, $2, $3, $4) as found',
  z.object({ found: z.boolean() }),
)

/**
 * How many were issued of these items; null: the item is unknown. Each is read by its own key, as
 * the rows can be on different nodes.
 */
export function readStock(
  tx: Transaction,
  companyId: string,
  items: readonly Item[],
): Promise<(number | null)[]> {
  return issuedBy(tx, readIssued, companyId, items)
}

/**
 * Locks the counts of these items until the transaction ends. Issuing takes this lock first, and so
 * does a change of a definition, so no issue that has begun misses the change.
 * @returns as `readStock`
 */
export function lockStock(
  tx: Transaction,
  companyId: string,
  items: readonly Item[],
): Promise<(number | null)[]> {
  return issuedBy(tx, lockIssued, companyId, items)
}

async function issuedBy(
  tx: Transaction,
  query: typeof readIssued,
  companyId: string,
  items: readonly Item[],
): Promise<(number | null)[]> {
  const rows = await Promise.all(items.map((item) => tx.maybe(query, [companyId, ...item])))
  return rows.map((row) => row?.issued ?? null)
}

/** Begins to count a new item. */
export async function beginStock(tx: Transaction, companyId: string, item: Item): Promise<void> {
  await tx.run(openStock, [companyId, ...item])
}

/**
 * Counts issued items, under the lock of `lockStock` where they are limited.
 * @param quantity below zero: returned ones
 */
export async function countIssued(
  tx: Transaction,
  companyId: string,
  item: Item,
  quantity: number,
): Promise<void> {
  const { found } = await tx.one(add, [companyId, ...item, quantity])
  if (!found) throw new Error(`there is no stock of ${item.join(' ')}`)
}

/** How many are left of what is limited. */
export function remaining(limit: number | null, issued: number | null | undefined): number | null {
  return limit === null ? null : limit - (issued ?? 0)
}

type Limited = { stock: number | null }

/** Reads how many are left of each of these definitions, null where any number is. */
export async function withRemaining<Row extends Limited>(
  tx: Transaction,
  companyId: string,
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
): Promise<(Row & { remaining: number | null })[]> {
  const limited = rows.filter(({ stock }) => stock !== null)
  const issued = await readStock(tx, companyId, limited.map(itemOf))
  const counts = new Map(limited.map((row, n) => [row, issued[n]]))
  return rows.map((row) => ({ ...row, remaining: remaining(row.stock, counts.get(row)) }))
}
