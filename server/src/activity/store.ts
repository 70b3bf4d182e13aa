import type { storeActivity } from '@tillside/contract/activity'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { readActivityOf } from './day.ts'

const readClerks = statement(
  `select staff_id, account, first_name, last_name from staff
   where company_id = $1 and staff_id = any ($2::uuid[]) order by account_key`,
  z.object({
    staff_id: z.string(),
    account: z.string(),
    first_name: z.string(),
    last_name: z.string(),
  }),
)

/**
 * The actions of all clerks at the caller's store on one day of the company, newest first. A person
 * reads what colleagues did, so the reading is audited.
 */
export async function readStoreActivity(
  context: Context<typeof storeActivity>,
  { date }: Input<typeof storeActivity>,
): Promise<Data<typeof storeActivity>> {
  const { tx, company, store, today } = context
  const { items, totals } = await readActivityOf(context, 'store_code', store.code, date)
  const ids = new Set(totals.flatMap((total) => total.staff_id ?? []))
  const clerks = await tx.all(readClerks, [company.id, [...ids]])
  const details = { date: date ?? today }
  context.changed({ action: 'staff.storeActivity', memberId: null, details })
  const totalsOf = (id: string | null) =>
    totals.flatMap(({ staff_id: of, ...total }) => (of === id ? [total] : []))
  return {
    items,
    totals: totalsOf(null),
    clerks: clerks.map((row) => ({
      account: row.account,
      firstName: row.first_name,
      lastName: row.last_name,
      totals: totalsOf(row.staff_id),
    })),
  }
}
