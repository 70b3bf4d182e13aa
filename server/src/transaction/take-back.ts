import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { shareOfAward } from '../points/earn.ts'
import { writeOff } from '../points/expiry.ts'
import { addDebit, type EntryOrigin, type Ledger, typeIn } from '../points/ledger.ts'
import { lotsToTakeBack, sum } from '../points/lots.ts'

// Of a promotion for some goods, what of those came back; a return that names no lines is of all
// goods of its sale alike. The running sums are rounded, so that the parts of a whole add up to it.
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

/** An entry that a sale was awarded, and the money that earned it. */
export type Award = {
  entryId: string
  transactionId: string
  points: number
  amount: string
  /** Of an award for some goods only, their money that came back; null: of the whole sale. */
  goods: { before: string; now: string } | null
}

/**
 * What these sales were awarded, in the order of the entries.
 * @param returnId the return that takes back now, whose shares are written
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
 * Takes back the part of one award that belongs to money that comes back now.
 * @param returned money of the award's sale: `before` this return, and with it `now`
 * @returns the points that were taken
 */
export async function takeBackAward(
  ledger: Ledger,
  award: Award,
  returned: { before: string; now: string },
  on: { day: string; policy: Policy },
  origin: EntryOrigin,
): Promise<number> {
  const wanted = shareOfAward(award.points, award.amount, returned.before, returned.now)
  return takeBack(ledger, wanted, award.entryId, on, { ...origin, amount: returned.now })
}

/**
 * Takes points back for returned goods. `clamp` takes at most what the member still has, so a
 * balance never goes below zero; `debt` takes all of it.
 * @param reverses the award's entry, whose lot id it is too; null when no sale is known
 * @returns the points that were taken
 */
export async function takeBack(
  ledger: Ledger,
  wanted: number,
  reverses: string | null,
  on: { day: string; policy: Policy },
  origin: EntryOrigin,
): Promise<number> {
  if (wanted === 0) return 0
  const takes = await lotsToTakeBack(ledger, wanted, on.day, reverses)
  const found = sum(takes)
  const points = on.policy === 'debt' ? wanted : found
  if (points === 0) return 0
  const debit = { type: 'returned', points, earnDate: null, expiryDate: null, reverses } as const
  await addDebit(ledger, { ...origin, ...debit }, takes)
  // A debt stands only when nothing is left in any lot, not even what has ended and was not written
  // off.
  if (found < points) await writeOff(ledger, on.day)
  return points
}
