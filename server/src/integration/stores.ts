import * as z from 'zod/mini'
import { statement } from '../kit/database.ts'
import type { KeyContext } from '../kit/serve-key.ts'

const readStores = statement(
  'select store_code from store where company_id = $1',
  z.object({ store_code: z.string() }),
)

/** The codes of all stores that the company has, closed ones too: a till may be late. */
export async function storesOf({ database, company }: KeyContext): Promise<ReadonlySet<string>> {
  const rows = await database.reading(company.id, (tx) => tx.all(readStores, [company.id]))
  return new Set(rows.map((row) => row.store_code))
}
