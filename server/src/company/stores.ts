import type { listStores } from '@tillside/contract/company'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'

const readStores = statement(
  'select store_code, name from store where company_id = $1 order by name, store_code',
  z.object({ store_code: z.string(), name: z.string() }),
)

/**
 * Lists all stores of the company by name, including closed ones, because receipts refer to them.
 */
export async function readStoreList({
  tx,
  company,
}: Context<typeof listStores>): Promise<Data<typeof listStores>> {
  const rows = await tx.all(readStores, [company.id])
  return { items: rows.map(({ store_code: code, name }) => ({ code, name })) }
}
