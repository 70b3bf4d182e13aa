import { recordForgiven } from '../books/forgiven.ts'
import { addGiveBack, type EntryOrigin, type LockedAccount, type NewEntry } from '../ledger.ts'
import { settle, undated } from './book.ts'
import { readFacts } from './facts.ts'
import { balanceOf, replayFacts, takesBetween, targetOf } from './target.ts'

const none: ReadonlySet<string> = new Set()

/**
 * Cancels a debit after a return: its points go back to the lots that it would have taken from
 * without the returned sale. First they settle the shortfall of the return, also a forgiven one;
 * further entries show this, and points that lapse at once.
 * @param debit the entry that is cancelled
 * @returns the points of the debit
 */
export async function undoByReplay(
  account: LockedAccount,
  debit: string,
  type: Extract<NewEntry['type'], 'cancelGift' | 'cancelCoupon' | 'refund'>,
  origin: EntryOrigin,
  today: string,
): Promise<number> {
  const history = await readFacts(account)
  const { balance, entries } = account
  const undo = { kind: 'undo', debit, seq: entries + 0.75, day: today } as const
  const before = replayFacts(history, [], [], today)
  const after = replayFacts(history, [], [undo], today)
  const [now, then] = [before, after].map((life) =>
    targetOf(history, before, life, { balance, fresh: none }),
  )
  const cancelled = history.events.find((event) => event.kind === 'debit' && event.id === debit)
  if (now === undefined || then === undefined || cancelled?.kind !== 'debit') {
    throw new Error('the cancelled debit is not in the history')
  }
  const { points } = cancelled
  const back = balanceOf(then) - balanceOf(now)
  const gap = Math.max(0, points - back)
  const reclaimed = Math.min(gap, Math.max(0, before.forgiven - after.forgiven))
  const gives = takesBetween(then, now)
  await recordForgiven(account, after.forgiven - before.forgiven, origin)
  await addGiveBack(account, { ...origin, ...undated, type, points, reverses: debit }, gives)
  await settle(account, { reclaimed, lapsed: gap - reclaimed }, { ...origin, invoiceNumber: null })
  return points
}
