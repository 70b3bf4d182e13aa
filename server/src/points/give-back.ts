import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import {
  addDebit,
  addGiveBack,
  type EntryOrigin,
  type LockedAccount,
  type NewEntry,
} from './ledger.ts'
import { burnOrder, sum } from './lots.ts'
import { hasExpired } from './replay/life.ts'
import { undoByReplay } from './replay/undo.ts'

const readBurns = statement(
  `select b.lot_id, b.points, l.expires_on, e.earn_date, exists (
     select from point_return r where r.company_id = $1 and r.member_id = $2 and r.after_seq >= (
       select seq from point_entry where company_id = $1 and member_id = $2 and entry_id = $3)
   ) as returned
   from point_burn b
   join point_lot l on l.company_id = $1 and l.member_id = $2 and l.lot_id = b.lot_id
   join point_entry e on e.company_id = $1 and e.member_id = $2 and e.entry_id = b.lot_id
   where b.company_id = $1 and b.member_id = $2 and b.entry_id = $3
   order by ${burnOrder('l.')}`,
  z.object({
    lot_id: z.string(),
    points: z.int(),
    expires_on: z.nullable(z.string()),
    earn_date: z.nullable(z.string()),
    returned: z.boolean(),
  }),
)

/**
 * Gives the points of a debit back to the lots that they were taken from; the lots keep their
 * expiry dates. If a lot has expired since, its points are given back and expire at once; the
 * history shows both entries. If the balance is below zero, the points repay this debt first, in
 * burn order. If a sale was returned after the debit, the points go where they would be without
 * that sale. A unique index in the database rejects a second cancellation of the same debit.
 * @param debit the entry that is cancelled
 * @param type the type of the cancellation, by the type of the debit
 * @param today the company's day
 * @returns the points given back, including those that expired at once
 */
export async function giveBack(
  account: LockedAccount,
  debit: string,
  type: Extract<NewEntry['type'], 'cancelGift' | 'cancelCoupon' | 'refund'>,
  origin: EntryOrigin,
  today: string,
): Promise<number> {
  const { tx, companyId, memberId } = account
  const burns = await tx.all(readBurns, [companyId, memberId, debit])
  if (burns.some(({ returned }) => returned))
    return undoByReplay(account, debit, type, origin, today)
  const points = sum(burns.map((burn) => ({ lotId: burn.lot_id, points: burn.points })))
  let debt = Math.min(points, Math.max(0, -account.balance))
  const gives = burns.flatMap((burn) => {
    const repaid = Math.min(debt, burn.points)
    debt -= repaid
    const left = burn.points - repaid
    return left === 0 ? [] : [{ ...burn, take: { lotId: burn.lot_id, points: left } }]
  })
  const ended = gives.filter((give) => hasExpired({ expiresOn: give.expires_on }, today))
  const none = { earnDate: null, expiryDate: null }
  await Promise.all([
    addGiveBack(
      account,
      { ...origin, type, points, reverses: debit, ...none },
      gives.map((give) => give.take),
    ),
    ...ended.map((give) =>
      addDebit(
        account,
        {
          ...origin,
          type: 'expired',
          points: give.take.points,
          earnDate: give.earn_date,
          expiryDate: give.expires_on,
          reverses: null,
          amount: null,
          invoiceNumber: null,
        },
        [give.take],
      ),
    ),
  ])
  return points
}
