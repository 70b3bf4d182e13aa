import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { shareOfAward } from '../points/earn.ts'
import { recordForgiven } from '../points/books/forgiven.ts'
import { writeOff } from '../points/expiry.ts'
import { addDebit, type EntryOrigin, type LockedAccount, typeIn } from '../points/ledger.ts'
import { lotsToTakeBack, sum } from '../points/lots.ts'

// For a promotion on some goods only, `before` and `now` are the returned money of those goods. A
// return without lines counts for all goods of its sale in proportion to their money. The running
// sums are rounded, not the parts, so that all parts add up to the whole.
const readAwards = statement(
  `select e.entry_id, e.transaction_id, e.points, e.amount, p.entry_id is not null as of_goods,
     round(g.before, 4) as before, round(g.before + g.now, 4) - round(g.before, 4) as now
   from point_entry e
   left join point_promotion p on p.company_id = $1 and p.member_id = $2
     and p.entry_id = e.entry_id and p.sku_codes is not null
   cross join lateral (
     select coalesce(sum(part) filter (where transaction_id <> $4), 0) as before,
       coalesce(sum(part) filter (where transaction_id = $4), 0) as now
     from (
       select r.transaction_id,
         case r.line_no when 0 then r.amount * e.amount / p.sale_amount else r.amount end as part
       from transaction_return r
       left join transaction_item i using (company_id, transaction_id, line_no)
       where r.company_id = $1 and r.original_id = e.transaction_id and p.entry_id is not null
         and (r.line_no = 0 or i.sku_code = any (p.sku_codes))
     ) parts
   ) g
   where e.company_id = $1 and e.member_id = $2 and e.transaction_id = any ($3::uuid[])
     and ${typeIn('e.type', 'earned', 'promotionEarned')}
   order by e.seq`,
  z.object({
    entry_id: z.string(),
    transaction_id: z.string(),
    points: z.int(),
    amount: z.nullable(z.string()),
    of_goods: z.boolean(),
    before: z.string(),
    now: z.string(),
  }),
)

/** An entry of points that a sale earned, and the money that earned them. */
export type Award = {
  entryId: string
  transactionId: string
  points: number
  amount: string
  /** For an award on some goods: the returned money of those goods; null for the whole sale. */
  goods: { before: string; now: string } | null
}

/**
 * Reads the awards of these sales, in the order of the entries.
 * @param returnId the current return; its shares are already inserted
 */
export async function awardsOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
  transactionIds: readonly string[],
  returnId: string | null,
): Promise<Award[]> {
  const rows = await tx.all(readAwards, [companyId, memberId, transactionIds, returnId])
  return rows.map((row) => ({
    entryId: row.entry_id,
    transactionId: row.transaction_id,
    points: row.points,
    amount: row.amount ?? '0',
    goods: row.of_goods ? { before: row.before, now: row.now } : null,
  }))
}

export type Policy = Settings['points']['refund']

/**
 * Takes back the share of one award that belongs to the money of this return.
 * @param returned money of the award's goods: returned `before`, and `now` by this return
 * @returns the points that were taken
 */
export async function takeBackAward(
  account: LockedAccount,
  award: Award,
  returned: { before: string; now: string },
  on: { day: string; policy: Policy },
  origin: EntryOrigin,
): Promise<number> {
  const wanted = shareOfAward(award.points, award.amount, returned.before, returned.now)
  return takeBack(account, wanted, award.entryId, on, { ...origin, amount: returned.now })
}

/**
 * Takes points back for returned goods. The policy `clamp` takes at most the points that the member
 * still has, so the balance never goes below zero; `debt` takes all of them.
 * @param reverses the award's entry id, which is also its lot id; null when no sale is known
 * @returns the points that were taken
 */
export async function takeBack(
  account: LockedAccount,
  wanted: number,
  reverses: string | null,
  on: { day: string; policy: Policy },
  origin: EntryOrigin,
): Promise<number> {
  if (wanted === 0) return 0
  const takes = await lotsToTakeBack(account, wanted, on.day, reverses)
  const found = sum(takes)
  const points = on.policy === 'debt' ? wanted : found
  if (points < wanted) await recordForgiven(account, wanted - points, origin)
  if (points === 0) return 0
  const debit = { type: 'returned', points, earnDate: null, expiryDate: null, reverses } as const
  await addDebit(account, { ...origin, ...debit }, takes)
  // A balance below zero is allowed only if all lots are empty. Points that expired but were not
  // written off yet would still count, so write them off now.
  if (found < points) await writeOff(account, on.day)
  return points
}
