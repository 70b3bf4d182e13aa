import type { Transaction } from '../../database/database.ts'
import { beginStock, type Item, type readStock } from '../../points/gift/stock.ts'
import type { Row, Table } from '../rows.ts'

/** Rows of a table that are to be written. */
type Written = { table: Table; rows: readonly Row[] }

/** The gifts and coupons among these rows, with their limits. */
function itemsOf(written: readonly Written[]): { item: Item; row: Row }[] {
  return written.flatMap(({ table: { noun, key }, rows }) =>
    noun === 'gift' || noun === 'coupon'
      ? rows.map((row) => ({ item: [noun, String(row[key])] as const, row }))
      : [],
  )
}

/**
 * Refuses a stock that is less than the number already issued.
 * @param issuedOf reads the numbers; or locks them, so that none is issued before the rows are
 *   written
 */
export async function refuseSmallStock(
  tx: Transaction,
  companyId: string,
  written: readonly Written[],
  issuedOf: typeof readStock,
): Promise<void> {
  const items = itemsOf(written)
  const counts = await issuedOf(
    tx,
    companyId,
    items.map(({ item }) => item),
  )
  for (const [index, { item, row }] of items.entries()) {
    const [issued, stock] = [counts[index] ?? 0, row['stock']]
    if (typeof stock !== 'number' || stock >= issued) continue
    throw new Error(`the stock of ${item.join(' ')} is ${stock}, but ${issued} are already issued`)
  }
}

/** Begins to count the gifts and coupons that are new. */
export async function beginStocks(
  tx: Transaction,
  companyId: string,
  written: readonly Written[],
): Promise<void> {
  await Promise.all(itemsOf(written).map(({ item }) => beginStock(tx, companyId, item)))
}
