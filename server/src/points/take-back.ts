import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../kit/database.ts'
import { shareOfAward } from './earn.ts'
import { addDebit, type EntryOrigin, type Ledger } from './ledger.ts'
import { lotsOverdue, lotsToTakeBack, sum } from './lots.ts'

const readAwards = statement(
  `select entry_id, transaction_id, points, amount from point_entry
   where company_id = $1 and member_id = $2 and transaction_id = any ($3::uuid[])
     and type in (100000000, 100000001)
   order by seq`,
  z.object({
    entry_id: z.string(),
    transaction_id: z.string(),
    points: z.int(),
    amount: z.nullable(z.string()),
  }),
)

/** An entry that a sale was awarded, and the money that earned it. */
export type Award = { entryId: string; transactionId: string; points: number; amount: string }

/** What these sales were awarded, in the order of the entries. */
export async function awardsOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
  transactionIds: readonly string[],
): Promise<Award[]> {
  const rows = await tx.all(readAwards, [companyId, memberId, transactionIds])
  return rows.map((row) => ({
    entryId: row.entry_id,
    transactionId: row.transaction_id,
    points: row.points,
    amount: row.amount ?? '0',
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

/**
 * Writes the `expired` entries of what ended before `day`; once for each lot, however often it is
 * called. They show the midnight at which the lots ended, however late this is.
 * @returns the points that ended
 */
export async function writeOff(ledger: Ledger, day: string): Promise<number> {
  const lots = await lotsOverdue(ledger, day)
  await Promise.all(
    lots.map(async ({ take, earnDate, expiresOn, endedAt }) =>
      addDebit(
        ledger,
        {
          type: 'expired',
          at: endedAt,
          points: take.points,
          earnDate,
          expiryDate: expiresOn,
          reverses: null,
          amount: null,
          invoiceNumber: null,
          storeCode: null,
          staffId: null,
          transactionId: null,
          description: null,
        },
        [take],
      ),
    ),
  )
  return sum(lots.map((lot) => lot.take))
}
