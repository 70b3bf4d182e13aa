import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { todaySql } from '../../database/reads/today.ts'
import { newId } from '../../values/id.ts'
import { type EntryOrigin, follow, type LockedAccount } from '../ledger.ts'
import { endsLater, hasExpired } from '../lots.ts'
import { undated } from './book.ts'
import type { ReturnAsk } from './plan.ts'

// Returns that need no replay.

const takeBack = statement(
  `select seq, balance_after
   from take_back_awards($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  z.object({ seq: z.int(), balance_after: z.int() }),
)
const readEnded = statement(
  `select exists (
     select from point_lot where company_id = $1 and member_id = $2 and remaining = 0
       and ${endsLater('$3')} and ${hasExpired('today')}) as ended
   from company, lateral (select ${todaySql('company')} as today) t
   where company_id = $1`,
  z.object({ ended: z.boolean() }),
)

/** Whether a lot that was alive on the day of a return is empty and has expired since. */
export async function hasEnded(
  { tx, companyId, memberId }: LockedAccount,
  day: string,
): Promise<boolean> {
  const { ended } = await tx.one(readEnded, [companyId, memberId, day])
  return ended
}

/**
 * Takes the points of returned awards from their own lots, with the function that a return in one
 * round trip uses (migration 0132).
 * @returns the points; null, and nothing changed, if the history has to be replayed
 */
export async function takeBackAwards(
  account: LockedAccount,
  { day, awards }: Pick<ReturnAsk, 'day' | 'awards'>,
  origin: EntryOrigin,
): Promise<number | null> {
  const ids = awards.map(() => newId())
  const rows = await account.tx.all(takeBack, [
    account.companyId,
    account.memberId,
    origin.transactionId,
    day,
    origin.at,
    origin.invoiceNumber,
    origin.storeCode,
    awards.map((award) => award.lotId),
    awards.map((award) => award.points),
    awards.map((award) => award.amount),
    ids,
    awards.map(() => newId()),
  ])
  if (rows.length === 0) return null
  for (const [n, { lotId, points, amount }] of awards.entries()) {
    const [id, row] = [ids[n], rows[n]]
    if (id === undefined || row === undefined) throw new Error('an award without an entry')
    const debit = { ...undated, type: 'returned', points, reverses: lotId, amount } as const
    follow(account, id, { ...origin, ...debit }, row)
  }
  return awards.reduce((all, { points }) => all + points, 0)
}
