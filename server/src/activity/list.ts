import type { staffActivity } from '@tillside/contract/activity'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { Context } from '../database/context.ts'
import { readActivityOf } from './day.ts'

/** The actions of this staff account on one day of the company, newest first. */
export async function readActivity(
  context: Context<typeof staffActivity>,
  { date }: Input<typeof staffActivity>,
): Promise<Data<typeof staffActivity>> {
  const { items, totals } = await readActivityOf(context, 'staff_id', context.staff.id, date)
  const all = totals.flatMap(({ staff_id: of, ...total }) => (of === null ? [total] : []))
  // The answer's schema leaves out the account, which is the caller's.
  return { items, totals: all, nextCursor: null }
}
