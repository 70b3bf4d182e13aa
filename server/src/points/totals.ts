import type { MembershipInfo } from '@tillside/contract/member'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../kit/database.ts'

const readAccount = statement(
  'select balance, earned, used from point_account where company_id = $1 and member_id = $2',
  z.object({ balance: z.int(), earned: z.int(), used: z.int() }),
)
const readLots = statement(
  `select coalesce(sum(remaining) filter (where active_from <= $3), 0)::bigint as valid
   from point_lot
   where company_id = $1 and member_id = $2 and remaining > 0
     and (expires_on is null or expires_on >= $3)`,
  z.object({ valid: z.int() }),
)
const readExpiring = statement(
  `select sum(remaining)::bigint as points, expires_on from point_lot
   where company_id = $1 and member_id = $2 and remaining > 0 and expires_on >= $3
   group by expires_on order by expires_on limit 3`,
  z.object({ points: z.int(), expires_on: z.string() }),
)

/**
 * A member's points today. `valid` counts only lots that have begun and not ended, so it is right
 * even when the expiry job is late; a balance below zero leaves nothing to spend.
 */
export async function readPointTotals(
  tx: Transaction,
  companyId: string,
  memberId: string,
  today: string,
): Promise<NonNullable<MembershipInfo['points']>> {
  const of = [companyId, memberId, today]
  const [account, lots, expiring] = await Promise.all([
    tx.one(readAccount, [companyId, memberId]),
    tx.one(readLots, of),
    tx.all(readExpiring, of),
  ])
  return {
    balance: account.balance,
    valid: Math.max(0, Math.min(lots.valid, account.balance)),
    redeemedOrExpired: account.used,
    earned: account.earned,
    expiringSoon: expiring.map((row) => ({ points: row.points, expiryDate: row.expires_on })),
  }
}
