import type { MembershipInfo } from '@tillside/contract/member'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../kit/database.ts'

const readAccount = statement(
  'select balance, earned, used from point_account where company_id = $1 and member_id = $2',
  z.object({ balance: z.int(), earned: z.int(), used: z.int() }),
)
// Open lots hold exactly the balance (invariant I9), so it is enough to know what of it cannot be
// spent today: a few lots at the two ends of an index, however many lie between them.
const readUnspendable = statement(
  `select (
     select coalesce(sum(remaining), 0) from point_lot
     where company_id = $1 and member_id = $2 and remaining > 0 and active_from > $3
   )::bigint as pending, (
     select coalesce(sum(remaining), 0) from point_lot
     where company_id = $1 and member_id = $2 and remaining > 0 and expires_on < $3
       and active_from <= $3
   )::bigint as overdue`,
  z.object({ pending: z.int(), overdue: z.int() }),
)
const readExpiring = statement(
  `select sum(remaining)::bigint as points, expires_on from point_lot
   where company_id = $1 and member_id = $2 and remaining > 0 and expires_on >= $3
   group by expires_on order by expires_on limit 3`,
  z.object({ points: z.int(), expires_on: z.string() }),
)

type Points = NonNullable<MembershipInfo['points']>
/** `pending`: the part of the balance that can only be spent from a later day on. */
export type Totals = Omit<Points, 'expiringSoon'> & { pending: number }

/**
 * A member's points today. `valid` counts only lots that have begun and not ended, so it is right
 * even when the expiry job is late; a balance below zero leaves nothing to spend.
 */
export async function readTotals(
  tx: Transaction,
  companyId: string,
  memberId: string,
  today: string,
): Promise<Totals> {
  const [account, { pending, overdue }] = await Promise.all([
    tx.one(readAccount, [companyId, memberId]),
    tx.one(readUnspendable, [companyId, memberId, today]),
  ])
  return {
    balance: account.balance,
    valid: Math.max(0, account.balance - pending - overdue),
    redeemedOrExpired: account.used,
    earned: account.earned,
    pending,
  }
}

/** The same, with the next three dates on which points end. */
export async function readPointTotals(
  tx: Transaction,
  companyId: string,
  memberId: string,
  today: string,
): Promise<Points> {
  const [{ pending: _, ...totals }, expiring] = await Promise.all([
    readTotals(tx, companyId, memberId, today),
    tx.all(readExpiring, [companyId, memberId, today]),
  ])
  return {
    ...totals,
    expiringSoon: expiring.map((row) => ({ points: row.points, expiryDate: row.expires_on })),
  }
}
