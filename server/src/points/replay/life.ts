// Replays a member's points from facts in the order of the history: earned and not returned,
// spent, undone and given back. Points expire by their day, not by a job. So the
// result does not depend on when jobs ran, nor on the order of partial returns. Members that are
// merged later have points and debts of their own until their merge.

/** A lot and its points after all returns of its sale. */
export type LifeLot = {
  id: string
  points: number
  /** Seconds since 1970. */
  earnedAt: number
  activeFrom: string
  /** The last day; null: never. */
  expiresOn: string | null
}

/** `owner`: the member whose points they were at that time. */
export type LifeEvent = {
  /** The place in the history. */
  seq: number
  /** The company's day. */
  day: string
} & (
  | { kind: 'earn'; owner: string; lot: LifeLot }
  /** `pending`: whether it may take points that cannot be spent yet. */
  | { kind: 'debit'; owner: string; id: string; points: number; pending: boolean }
  /** A clerk cancels a debit. */
  | { kind: 'undo'; debit: string }
  /** A return gives back points that paid. `grace` receives the expired ones; null: they lapse. */
  | { kind: 'giveBack'; debit: string; points: number; grace: LifeLot | null }
  /** A shortfall that a return did not take. */
  | { kind: 'forgive'; owner: string; points: number }
  /** Points and debts of one member become those of another. Points of both repay all debts. */
  | { kind: 'merge'; from: string; into: string }
)

export type LifeState = {
  /** The points in each lot on the last day; empty lots are left out. */
  lots: ReadonlyMap<string, number>
  /** Points that debits took and that no lot had. */
  debt: number
  /** The part of the shortfall that was forgiven and that no later event has settled. */
  forgiven: number
  /** The points of the lots, less the debt. */
  balance: number
}

type DebitEvent = Extract<LifeEvent, { kind: 'debit' }>
type Lot = LifeLot & { left: number; owner: string }
type Debit = {
  owner: string
  parts: { lot: Lot; points: number }[]
  owed: number
  forgiven: number
}

/** Compares two lots: the earliest expiry first, then the earliest earned, then by id. */
export function inBurnOrder(a: LifeLot, b: LifeLot): number {
  const [endA, endB] = [a.expiresOn ?? 'never', b.expiresOn ?? 'never']
  if (endA !== endB) return endA < endB ? -1 : 1
  return a.earnedAt - b.earnedAt || (a.id < b.id ? -1 : 1)
}

/**
 * Replays events to the end of `asOf`.
 * @param events in any order; `seq` decides, and events with equal `seq` keep their order
 */
export function replay(events: readonly LifeEvent[], asOf: string): LifeState {
  const life = new Life()
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) life.apply(event)
  return life.state(asOf)
}

class Life {
  private readonly lots: Lot[] = []
  private readonly debits = new Map<string, Debit>()

  apply(event: LifeEvent): void {
    switch (event.kind) {
      case 'earn':
        return this.put(this.open(event.lot, event.owner), event.lot.points)
      case 'debit':
        return this.take(event)
      case 'undo': {
        const debit = this.debits.get(event.debit)
        if (debit !== undefined) this.release(debit, Infinity, event.day, null)
        return
      }
      case 'giveBack': {
        const debit = this.debits.get(event.debit)
        if (debit !== undefined) this.release(debit, event.points, event.day, event.grace)
        return
      }
      case 'forgive':
        return this.forgive(event.points, event.owner)
      case 'merge':
        return this.merge(event.from, event.into, event.day)
    }
  }

  state(asOf: string): LifeState {
    const alive = this.lots.filter((lot) => lot.left > 0 && !hasExpired(lot, asOf))
    const lots = new Map(alive.map((lot) => [lot.id, lot.left]))
    const debits = [...this.debits.values()]
    const debt = debits.reduce((sum, { owed }) => sum + owed, 0)
    const forgiven = debits.reduce((sum, one) => sum + one.forgiven, 0)
    return { lots, debt, forgiven, balance: alive.reduce((sum, { left }) => sum + left, -debt) }
  }

  private open(lot: LifeLot, owner: string): Lot {
    const opened = { ...lot, left: 0, owner }
    const at = this.lots.findIndex((one) => inBurnOrder(one, lot) > 0)
    this.lots.splice(at < 0 ? this.lots.length : at, 0, opened)
    return opened
  }

  /** Puts points into a lot. Debts are repaid first, the oldest first. */
  private put(lot: Lot, points: number): void {
    let left = points
    for (const debit of this.debits.values()) {
      const repaid = debit.owner === lot.owner ? Math.min(left, debit.owed) : 0
      if (repaid === 0) continue
      debit.owed -= repaid
      debit.parts.push({ lot, points: repaid })
      left -= repaid
    }
    lot.left += left
  }

  /** Takes points that can be spent, then pending ones if they do not suffice, then a debt. */
  private take({ id, owner, points, day, pending }: DebitEvent): void {
    const debit: Debit = { owner, parts: [], owed: points, forgiven: 0 }
    const alive = this.lots.filter((lot) => lot.owner === owner && !hasExpired(lot, day))
    const [ready, later] = pending
      ? [alive, []]
      : [alive.filter((lot) => lot.activeFrom <= day), alive.filter((lot) => lot.activeFrom > day)]
    for (const lot of [...ready, ...later]) {
      const taken = Math.min(lot.left, debit.owed)
      if (taken === 0) continue
      lot.left -= taken
      debit.owed -= taken
      debit.parts.push({ lot, points: taken })
    }
    this.debits.set(id, debit)
  }

  /** Gives points of a debit back: first to its own shortfall, then to the lots it took from. */
  private release(debit: Debit, points: number, day: string, grace: LifeLot | null): void {
    let left = points
    for (const shortfall of ['owed', 'forgiven'] as const) {
      const settled = Math.min(left, debit[shortfall])
      debit[shortfall] -= settled
      left -= settled
    }
    const parts = debit.parts.splice(0).sort((a, b) => inBurnOrder(a.lot, b.lot))
    const late = grace && this.open(grace, debit.owner)
    for (const { lot, points: taken } of parts) {
      const back = Math.min(left, taken)
      left -= back
      if (back < taken) debit.parts.push({ lot, points: taken - back })
      if (back > 0) this.put(late !== null && hasExpired(lot, day) ? late : lot, back)
    }
  }

  private merge(from: string, into: string, day: string): void {
    for (const one of [...this.lots, ...this.debits.values()]) {
      if (one.owner === from) one.owner = into
    }
    for (const lot of this.lots) {
      if (lot.owner !== into || hasExpired(lot, day)) continue
      const points = lot.left
      lot.left = 0
      this.put(lot, points)
    }
  }

  private forgive(points: number, owner: string): void {
    let left = points
    for (const debit of this.debits.values()) {
      const waived = debit.owner === owner ? Math.min(left, debit.owed) : 0
      debit.owed -= waived
      debit.forgiven += waived
      left -= waived
    }
  }
}

/** Whether a lot's points have expired on a day. The last day counts. */
export function hasExpired(lot: Pick<LifeLot, 'expiresOn'>, day: string): boolean {
  return lot.expiresOn !== null && lot.expiresOn < day
}
