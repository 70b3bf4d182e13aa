import type { Take } from '../lots.ts'
import type { Facts, ReturnFact } from './facts.ts'
import { inBurnOrder, type LifeEvent, type LifeState, replay } from './life.ts'

/** The lots and the debt that a member should have. */
export type Target = { lots: ReadonlyMap<string, number>; debt: number; forgiven: number }

/** Replays a member's facts with further events, and with fewer points in these awards' lots. */
export function replayFacts(
  { events, reversed }: Facts,
  awards: readonly ReturnFact[],
  more: readonly LifeEvent[],
  asOf: string,
): LifeState {
  const less = new Map(reversed)
  for (const { entryId, points } of awards) {
    if (entryId !== null) less.set(entryId, (less.get(entryId) ?? 0) + points)
  }
  const reduced = events.map((event): LifeEvent => {
    if (event.kind !== 'earn') return event
    const points = Math.max(0, event.lot.points - (less.get(event.lot.id) ?? 0))
    return { ...event, lot: { ...event.lot, points } }
  })
  return replay([...reduced, ...more], asOf)
}

/**
 * Adds the difference of two replays to the lots in the database. So a ledger from before the
 * facts were kept keeps its peculiarities, and only the effect of the new facts is added.
 * @param fresh the lots that the new facts may open
 */
export function targetOf(
  facts: Facts,
  before: LifeState,
  after: LifeState,
  { balance, fresh }: { balance: number; fresh: ReadonlySet<string> },
): Target {
  const lots = new Map<string, number>()
  let missing = Math.max(0, -balance) - before.debt + after.debt
  for (const lot of facts.lots.toSorted(inBurnOrder)) {
    const [was, is] = [before.lots.get(lot.id) ?? 0, after.lots.get(lot.id) ?? 0]
    const wanted = lot.remaining - was + is
    const held = Math.min(lot.points, Math.max(0, wanted))
    missing += held - wanted
    lots.set(lot.id, held)
  }
  for (const [id, left] of after.lots) if (fresh.has(id)) lots.set(id, left)
  // The replay may hold points in other lots than the database, for example after an unmerge. The
  // points that do not fit into one lot go to those that have less than in the replay.
  for (const [id, held] of lots) {
    const more = Math.min(Math.max(0, -missing), Math.max(0, (after.lots.get(id) ?? 0) - held))
    missing += more
    lots.set(id, held + more)
  }
  // A debt and points exclude each other.
  for (const [id, held] of lots) {
    const repaid = Math.min(held, Math.max(0, missing))
    missing -= repaid
    lots.set(id, held - repaid)
  }
  return { lots, debt: Math.max(0, missing), forgiven: after.forgiven }
}

/** @returns the points of the lots, less the debt */
export function balanceOf({ lots, debt }: Target): number {
  return [...lots.values()].reduce((sum, left) => sum + left, -debt)
}

/** The points to take from each lot to get to another target; below 0: to give. */
export function takesBetween(from: Target, to: Target): Take[] {
  const ids = new Set([...from.lots.keys(), ...to.lots.keys()])
  return [...ids].flatMap((lotId) => {
    const points = (from.lots.get(lotId) ?? 0) - (to.lots.get(lotId) ?? 0)
    return points === 0 ? [] : [{ lotId, points }]
  })
}
