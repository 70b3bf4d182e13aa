import { shareOfMoney } from '../earn.ts'
import {
  addDebit,
  addEarning,
  addGiveBack,
  type EntryOrigin,
  type LockedAccount,
} from '../ledger.ts'
import type { Take } from '../lots.ts'
import type { Plan, ReturnAsk } from './plan.ts'
import { balanceOf, takesBetween } from './target.ts'

// Books the difference of two targets as entries. The burns of these entries are the changes of
// each lot: points may leave one lot for another.

/** An entry without dates that reverses nothing. */
export const undated = { earnDate: null, expiryDate: null, reverses: null } as const

/**
 * Takes the points of returned goods. Without the sale a member may have more points: a spending
 * that was undone after the sale's lot had expired would have taken them from a lot that lives.
 * @returns the points that were taken; below 0: that the member gained
 */
export async function bookTaken(
  account: LockedAccount,
  { awards, loose }: ReturnAsk,
  { now, taken }: Plan,
  origin: EntryOrigin,
): Promise<number> {
  const moved = takesBetween(now, taken)
  const total = balanceOf(now) - balanceOf(taken)
  const kept = moved.reduce((sum, { points }) => sum + Math.max(0, points), 0)
  if (total <= 0) {
    // The member also gains if fewer points are owed and no lot changes.
    const changes = moved.length > 0 || total < 0
    if (changes) await rearrange(account, moved, { out: kept, back: kept - total }, origin)
    return total
  }
  let left = total
  const parts = [
    ...awards.map((award) => ({ ...award, reverses: award.lotId })),
    { points: total, amount: loose?.amount ?? null, reverses: null },
  ].flatMap((part) => {
    const points = Math.min(left, part.points)
    left -= points
    return points === 0 ? [] : [{ ...part, points }]
  })
  const takes = [...moved]
  for (const [index, { points, amount, reverses }] of parts.entries()) {
    const isLast = index === parts.length - 1
    const own = isLast ? takes.splice(0) : cutOff(takes, points, reverses)
    const entry = { ...origin, ...undated, type: 'returned', points, amount, reverses } as const
    await addDebit(account, entry, own)
  }
  return total
}

/**
 * Gives points back that had paid for returned goods. Points that lapse at once, or settle a
 * forgiven shortfall of an earlier return, get a visible entry of their own.
 * @returns the points that came back and stay
 */
export async function bookBack(
  account: LockedAccount,
  paid: ReturnAsk['paid'],
  plan: Plan,
  origin: EntryOrigin,
): Promise<number> {
  if (paid.length === 0) return 0
  const graces = plan.facts.filter(({ kind }) => kind === 'paid')
  const graceOf = (entryId: string) => {
    const fact = graces.find((one) => one.entryId === entryId)
    return { fact, points: fact === undefined ? 0 : (plan.back.lots.get(fact.id) ?? 0) }
  }
  const fresh = new Set(graces.map(({ id }) => id))
  const gives = takesBetween(plan.taken, plan.back).filter(({ lotId }) => !fresh.has(lotId))
  for (const { entryId, points, amount: whole } of paid) {
    const direct = points - graceOf(entryId).points
    const amount = whole && shareOfMoney(whole, points, 0, direct)
    const entry = { ...origin, ...undated, type: 'refund', points: direct, amount } as const
    if (direct > 0) {
      await addGiveBack(account, { ...entry, reverses: entryId }, negated(gives.splice(0)))
    }
  }
  for (const { entryId, graceUntil, points: all, amount: whole } of paid) {
    const { fact, points } = graceOf(entryId)
    if (fact === undefined || points === 0) continue
    await addEarning(account, {
      ...origin,
      id: fact.id,
      type: 'refund',
      points,
      amount: whole && shareOfMoney(whole, all, all - points, points),
      earnDate: null,
      reverses: entryId,
      activeFrom: plan.day,
      expiresOn: graceUntil,
    })
  }
  if (gives.length > 0) await rearrange(account, gives, { out: 1, back: 1 }, origin)
  const asked = paid.reduce((sum, { points }) => sum + points, 0)
  const back = balanceOf(plan.back) - balanceOf(plan.taken)
  const gap = Math.max(0, asked - back)
  const reclaimed = Math.min(gap, plan.reclaimed)
  await settle(account, { reclaimed, lapsed: gap - reclaimed }, origin)
  return back
}

/**
 * Adds the entries of points that came back and went at once: to a shortfall that had been
 * forgiven, and to lots that have expired.
 */
export async function settle(
  account: LockedAccount,
  { reclaimed, lapsed }: { reclaimed: number; lapsed: number },
  origin: EntryOrigin,
): Promise<void> {
  const entry = { ...origin, ...undated, amount: null }
  if (reclaimed > 0) await addDebit(account, { ...entry, type: 'returned', points: reclaimed }, [])
  if (lapsed > 0) await addDebit(account, { ...entry, type: 'expired', points: lapsed }, [])
}

/**
 * Changes lots although the balance does not change, or grows: one entry takes points and another
 * one gives them back.
 * @param out the points that are taken, and `back` those that are given back, at least as many
 * @returns the id of the entry that changes the lots
 */
export async function rearrange(
  account: LockedAccount,
  moved: readonly Take[],
  { out, back }: { out: number; back: number },
  origin: EntryOrigin,
): Promise<string> {
  const entry = { ...origin, ...undated, amount: null }
  const comesBack = { ...entry, type: 'refund', points: back } as const
  if (out === 0) return (await addGiveBack(account, comesBack, negated(moved))).id
  const { id } = await addDebit(account, { ...entry, type: 'returned', points: out }, moved)
  await addGiveBack(account, comesBack, [])
  return id
}

/** Cuts takes of `points` off the list, those from the lot `first` before all others. */
function cutOff(takes: Take[], points: number, first: string | null): Take[] {
  const cut: Take[] = []
  let left = points
  const order = takes.toSorted((a, b) => Number(b.lotId === first) - Number(a.lotId === first))
  for (const take of order) {
    const part = Math.min(left, Math.max(0, take.points))
    if (part === 0) continue
    left -= part
    cut.push({ lotId: take.lotId, points: part })
    take.points -= part
  }
  takes.splice(0, takes.length, ...takes.filter((take) => take.points !== 0))
  return cut
}

function negated(takes: readonly Take[]): Take[] {
  return takes.map(({ lotId, points }) => ({ lotId, points: -points }))
}
