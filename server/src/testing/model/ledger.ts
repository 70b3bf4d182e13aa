import { monthEndAfter, nextOf } from './days.ts'
import { type LifeFact, live } from './life.ts'
import { type Lot, sumOf, take } from './lots.ts'
import type { ModelRules } from './rules.ts'

// The entries and lots of the model, and how a return or an undo changes them.

export type Spending = {
  /** The type of the entry that cancels it. */
  undone: number
  parts: { lot: Lot; points: number }[]
  cancelled: boolean
  of: string | null
  quantity: number
  coupons: { until: string; used: boolean }[]
  /** The number of entries before it. */
  place: number
}

/** The point type codes of the contract, minus 100000000. */
export const code = {
  earned: 0,
  promotion: 1,
  gift: 4,
  coupon: 5,
  returned: 8,
  refund: 9,
  cancelGift: 10,
  cancelCoupon: 11,
  expired: 12,
  transaction: 15,
}

export class ModelLedger {
  readonly entries: [type: number, points: number][] = []
  readonly spendings: Spending[] = []
  protected readonly rules: ModelRules
  protected readonly lots: Lot[] = []
  protected readonly facts: LifeFact[] = []
  protected readonly returned = new Map<Lot, number>()
  /** The number of entries at the last return. */
  protected lastReturn = -1
  /** Whether a return did not simply take points of untouched lots. */
  protected wasReplayed = false

  constructor(rules: ModelRules) {
    this.rules = rules
  }

  get balance(): number {
    return this.entries.reduce((sum, [, points]) => sum + points, 0)
  }

  /** The points that can be spent on this day. */
  valid(day: string): number {
    return sumOf(this.open((lot) => lot.from <= day && lot.until >= day))
  }

  /** Expires every lot whose last day is before this day. */
  expire(day: string): void {
    for (const lot of this.open((l) => l.until < day)) {
      this.entries.push([code.expired, -lot.left])
      lot.left = 0
    }
  }

  /** Lots with remaining points, in the order in which they are used. */
  open(fits: (lot: Lot) => boolean = () => true): Lot[] {
    return this.lots
      .filter((lot) => lot.left > 0 && fits(lot))
      .sort((a, b) => (a.until === b.until ? a.at - b.at : a.until < b.until ? -1 : 1))
  }

  dayOf(at: number): string {
    return new Intl.DateTimeFormat('en-CA', { timeZone: this.rules.timeZone }).format(at)
  }

  /** Cancels a spending after a return: the points settle the shortfall of the return first. */
  protected cancelByLife(spending: Spending, day: string): null {
    const before = live(this.facts, this.returned, day)
    this.facts.push({ kind: 'undo', id: spending })
    const after = live(this.facts, this.returned, day)
    const points = spending.parts.reduce((sum, part) => sum + part.points, 0)
    const gap = points - after.balance + before.balance
    const reclaimed = Math.min(gap, before.waived - after.waived)
    this.entries.push([spending.undone, points])
    if (reclaimed > 0) this.entries.push([code.returned, -reclaimed])
    if (gap > reclaimed) this.entries.push([code.expired, reclaimed - gap])
    this.setLots(after.left, day)
    return null
  }

  /** Makes the lots what they would be without the returned goods. */
  protected bookReturn(wanted: readonly number[], before: number, day: string): void {
    const after = live(this.facts, this.returned, day)
    const waived = this.rules.refund === 'clamp' ? after.owed : 0
    if (waived > 0) this.facts.push({ kind: 'waive', points: waived })
    let taken = before - after.balance - waived
    for (const asked of wanted) {
      const points = Math.min(asked, taken)
      taken -= points
      if (points > 0) this.entries.push([code.returned, -points])
    }
    this.setLots(after.left, day)
  }

  /** Lots that have expired keep what is to be written off. */
  protected setLots(left: ReadonlyMap<object, number>, day: string): void {
    for (const lot of this.lots.filter(({ until }) => until >= day)) {
      const now = left.get(lot) ?? 0
      if (now !== lot.left) lot.touched = true
      lot.left = now
    }
  }

  protected spend(
    type: number,
    points: number,
    day: string,
    what: Partial<Spending>,
  ): string | null {
    if (this.valid(day) < points) return 'pointsAboveBalance'
    const parts = take(
      this.open((lot) => lot.from <= day && lot.until >= day),
      points,
    )
    const place = this.entries.push([type, -points]) - 1
    const plain = { undone: 0, cancelled: false, of: null, quantity: 0, coupons: [] }
    const spending = { ...plain, ...what, parts, place }
    this.spendings.push(spending)
    this.facts.push({ kind: 'spend', id: spending, points, day, pending: false })
    return null
  }

  protected gain(type: number, points: number, at: number, from: string): Lot | null {
    if (points === 0) return null
    const debt = Math.min(points, Math.max(0, -this.balance))
    const { expiry } = this.rules
    const until =
      expiry.kind === 'months'
        ? monthEndAfter(this.dayOf(at), expiry.months)
        : nextOf(expiry.dates, from)
    const lot = { left: points - debt, touched: debt > 0, at, from, until }
    this.facts.push({ kind: 'earn', lot, points })
    this.entries.push([type, points])
    this.lots.push(lot)
    return lot
  }
}
