import type { RefundPolicy } from '../../company/limits.ts'
import { recordForgiven } from '../books/forgiven.ts'
import { writeOff } from '../expiry.ts'
import { addDebit, type EntryOrigin, type LockedAccount } from '../ledger.ts'
import { lotsToTakeBack, sum } from '../lots.ts'
import { bookBack, bookTaken, undated } from './book.ts'
import { addReturnFacts, readFacts, readWrittenOff } from './facts.ts'
import { hasEnded, takeBackAwards } from './own-lots.ts'
import { factsOf, planOf, type ReturnAsk } from './plan.ts'

/** Points taken from the member, given back to the member, and forgiven. */
export type Settled = { taken: number; back: number; forgiven: number }

/** The effect of a receipt that returns nothing. */
export const unsettled: Settled = { taken: 0, back: 0, forgiven: 0 }

/**
 * Books a return: the member's lots become as if the returned share had never been sold, and
 * points that had paid for it come back. Points that expired unspent are not taken again. The lots
 * of a sale usually still hold its points; else the member's history is replayed.
 * @param policy for a member with too few points
 */
export async function settleReturn(
  account: LockedAccount,
  ask: ReturnAsk,
  policy: RefundPolicy,
  origin: EntryOrigin,
): Promise<Settled> {
  const { awards, loose, paid, day } = ask
  if (awards.length === 0 && loose === null && paid.length === 0) return unsettled
  const facts = factsOf(ask)
  const on = { transactionId: origin.transactionId, day }
  if (loose !== null && awards.length + paid.length === 0 && !(await hasEnded(account, day))) {
    const takes = await lotsToTakeBack(account, loose.points, day)
    if (sum(takes) === loose.points) {
      await addReturnFacts(account, facts, on)
      await addDebit(account, { ...origin, ...undated, ...loose, type: 'returned' }, takes)
      return { ...unsettled, taken: loose.points }
    }
  }
  if (loose === null && paid.length === 0) {
    const taken = await takeBackAwards(account, ask, origin)
    if (taken !== null) return { ...unsettled, taken }
  }
  // A late return counts on its own day, unless lots that ended later are written off already.
  const writtenOff = await readWrittenOff(account)
  const asOf = writtenOff !== null && writtenOff > day ? writtenOff : day
  await writeOff(account, asOf)
  const history = await readFacts(account)
  const plan = planOf(history, account, facts, { day, asOf, policy, at: origin.at })
  await addReturnFacts(account, plan.facts, on)
  await recordForgiven(account, plan.forgiven, origin)
  const taken = await bookTaken(account, ask, plan, origin)
  const back = await bookBack(account, paid, plan, origin)
  return {
    taken: Math.max(0, taken),
    back: back + Math.max(0, -taken),
    forgiven: Math.max(0, plan.forgiven),
  }
}
