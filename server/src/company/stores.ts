import type { listStores } from '@tillside/contract/company'
import * as z from 'zod/mini'
import type { Verb } from '../database/context.ts'
import { statement } from '../database/database.ts'

const readStores = statement(
  'select store_code, name from store where company_id = $1 order by name, store_code',
  z.object({ store_code: z.string(), name: z.string() }),
)

/** Every store of the company by its name; closed ones too, since receipts still name them. */
export const readStoreList: Verb<typeof listStores> = async ({ tx, company }) => {
  const rows = await tx.all(readStores, [company.id])
  return { items: rows.map(({ store_code: code, name }) => ({ code, name })) }
}
