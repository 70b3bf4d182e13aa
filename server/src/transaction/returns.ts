import * as z from 'zod/mini'
import { statement, type Transaction } from '../kit/database.ts'
import { decimal, decimalText, larger, minus, plus, rounded, zero } from '../kit/decimal.ts'
import { pointsFor, type Rate } from '../points/earn.ts'
import type { EntryOrigin, Ledger } from '../points/ledger.ts'
import { awardsOf, type Policy, takeBack, takeBackAward } from '../points/take-back.ts'
import type { Sources } from './originals.ts'

const insertShares = statement(
  `insert into transaction_return (company_id, transaction_id, line_no, original_id, quantity,
     amount)
   select $1, $2, * from unnest($3::int[], $4::uuid[], $5::numeric[], $6::numeric[])`,
  z.unknown(),
)
const setPoints = statement(
  `update transaction set points_earned = points_earned - $3
   where company_id = $1 and transaction_id = $2`,
  z.unknown(),
)

/** Keeps which sales a return's goods came from. */
export async function writeShares(
  tx: Transaction,
  companyId: string,
  transactionId: string,
  { shares }: Sources,
): Promise<void> {
  if (shares.length === 0) return
  await tx.run(insertShares, [
    companyId,
    transactionId,
    shares.map((share) => share.lineNo),
    shares.map((share) => share.originalId),
    shares.map((share) => share.quantity),
    shares.map((share) => share.amount),
  ])
}

/**
 * Takes back the points of what came back: of each known sale its award's part, and for the rest
 * what the money would earn today, rounded down.
 * @param returned all money that came back, a decimal string not below zero
 * @returns the points that were taken
 */
export async function takeBackReturned(
  ledger: Ledger,
  returned: string,
  sources: Sources,
  rate: Rate,
  on: { day: string; policy: Policy },
  origin: EntryOrigin,
): Promise<number> {
  if (decimal(returned).units === 0n) return 0
  const { tx, companyId, memberId } = ledger
  const bySale = new Map<string, string>()
  for (const { originalId, amount } of sources.shares) {
    bySale.set(originalId, add(bySale.get(originalId) ?? '0.00', amount))
  }
  let taken = 0
  // One after another: what one takes from the lots is no longer there for the next.
  const awards = await awardsOf(tx, companyId, memberId, [...bySale.keys()], origin.transactionId)
  for (const award of awards) {
    const before = sources.before.get(award.transactionId) ?? '0.00'
    const now = bySale.get(award.transactionId) ?? '0.00'
    taken += await takeBackAward(ledger, award, award.goods ?? { before, now }, on, origin)
  }
  const known = [...bySale.values()].reduce(add, '0.00')
  const rest = decimalText(rounded(larger(minus(decimal(returned), decimal(known)), zero), 2))
  taken += await takeBack(ledger, pointsFor(rest, rate), null, on, { ...origin, amount: rest })
  if (taken > 0 && origin.transactionId !== null) {
    await tx.run(setPoints, [companyId, origin.transactionId, taken])
  }
  return taken
}

function add(a: string, b: string): string {
  return decimalText(plus(decimal(a), decimal(b)))
}
