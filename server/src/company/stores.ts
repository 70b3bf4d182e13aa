import type { listStores } from '@tillside/contract/company'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { ofRevision } from './settings.ts'

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

const remembered = ofRevision(
  async (tx, companyId): Promise<ReadonlyMap<string, string>> =>
    new Map((await tx.all(readStores, [companyId])).map((row) => [row.store_code, row.name])),
)
/**
 * The names of the company's stores by their code. A page of a list takes them from here: a join
 * costs PostgreSQL as much as reading the rows of the page.
 */
export const storeNamesOf = remembered.read

/** The name of one store, as `storeNamesOf` has it. */
export function nameOfStore({
  code,
  name,
}: {
  code: string
  name: string
}): ReadonlyMap<string, string> {
  return new Map([[code, name]])
}

/** A store in the contract's form; its code where it has no name any more. */
export function storeIn(
  names: ReadonlyMap<string, string>,
  code: string | null,
): { code: string; name: string } | null {
  return code === null ? null : { code, name: names.get(code) ?? code }
}
