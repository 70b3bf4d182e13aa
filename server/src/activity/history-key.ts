import { randomBytes } from 'node:crypto'
import type { searchHistoryKey } from '@tillside/contract/activity'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'

const readKey = statement(
  'select key from search_history_key where company_id = $1 and staff_id = $2',
  z.object({ key: z.instanceof(Buffer) }),
)
const insertKey = statement(
  `insert into search_history_key (company_id, staff_id, key) values ($1, $2, $3)
   on conflict do nothing`,
  z.unknown(),
)

/**
 * Returns the account's key for its search history. It is created on the first request; concurrent
 * requests receive the same key.
 */
export async function readHistoryKey(
  context: Context<typeof searchHistoryKey>,
): Promise<Data<typeof searchHistoryKey>> {
  const { tx, company, staff } = context
  const known = await tx.maybe(readKey, [company.id, staff.id])
  if (known !== null) return { key: known.key.toString('base64') }
  const made = await tx.run(insertKey, [company.id, staff.id, randomBytes(32)])
  if (made === 1) {
    context.changed({ action: 'staff.historyKey', memberId: null, details: {} })
  }
  const { key } = await tx.one(readKey, [company.id, staff.id])
  return { key: key.toString('base64') }
}
