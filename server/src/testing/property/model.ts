// The expected points of a member, calculated as a person would on paper: without SQL and without
// code of the engine. The property test compares the engine with it.

import { addDays, monthEndAfter, nextOf } from './model-days.ts'
import {
  type Back,
  centsOf,
  type Goods,
  type Lot,
  type Sale,
  sumOf,
  take,
  takenOf,
} from './model-lots.ts'
import type { ModelPromotion, ModelRules } from './model-rules.ts'
import { ModelTier } from './model-tier.ts'

type Spending = {
  /** The type of the entry that cancels it. */
  undone: number
  parts: { lot: Lot; points: number }[]
  cancelled: boolean
  of: string | null
  quantity: number
  coupons: { until: string; used: boolean }[]
}

/** The point type codes of the contract, minus 100000000. */
const code = {
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

export class ModelAccount {
  readonly entries: [type: number, points: number][] = []
  readonly sales: Sale[] = []
  readonly spendings: Spending[] = []
  readonly tier: ModelTier
  private readonly lots: Lot[] = []
  private readonly rules: ModelRules

  constructor(rules: ModelRules, since: string) {
    this.rules = rules
    this.tier = new ModelTier(rules, since)
  }

  get balance(): number {
    return this.entries.reduce((sum, [, points]) => sum + points, 0)
  }

  /** The points that can be spent on this day. */
  valid(day: string): number {
    return sumOf(this.open((lot) => lot.from <= day && lot.until >= day))
  }

  buy(goods: readonly Goods[], store: string, at: number): void {
    this.receipt(goods, store, at, 0)
  }

  /** @returns false if this is more than is left of the sale */
  returnGoods(index: number, back: Back, at: number): boolean {
    const sale = this.sales[index]
    const cents = centsOf(back)
    if (sale === undefined || sale.returned + cents > sale.cents) return false
    this.tier.spend(this.dayOf(at), -cents)
    this.undo(sale, back, this.dayOf(at))
    return true
  }

  /**
   * Exchanges goods of a sale for others. @returns false if this is more than is left of the sale
   */
  swap(index: number, back: readonly Goods[], goods: Goods, store: string, at: number): boolean {
    const sale = this.sales[index]
    const cents = centsOf(back)
    if (sale === undefined || sale.returned + cents > sale.cents) return false
    this.receipt([goods], store, at, cents)
    this.undo(sale, back, this.dayOf(at))
    return true
  }

  /** Returns goods whose sale is unknown. */
  returnWithoutSale(cents: number, at: number): void {
    const points = this.worth(cents, 1000)
    this.tier.spend(this.dayOf(at), -cents)
    this.takeBack(points, null, this.dayOf(at))
  }

  // The following methods return the refusal by its name in the contract, or null.

  takeGift(id: string, quantity: number, day: string): string | null {
    const gift = this.rules.gifts[id]
    if (gift === undefined) return 'giftUnknown'
    const had = this.spendings.filter((s) => s.of === id && !s.cancelled)
    const count = had.reduce((sum, one) => sum + one.quantity, 0)
    if (gift.limit !== null && count + quantity > gift.limit) return 'giftLimit'
    const of = { of: id, quantity, undone: code.cancelGift }
    return this.spend(code.gift, gift.points * quantity, day, of)
  }

  payFor(sale: number, points: number, day: string): string | null {
    const { minimum, maximum, increment, cents, percent } = this.rules.exchange
    const share = Math.floor((sale * percent) / 100 / cents)
    if (points <= 0) return 'invalid'
    if (points < minimum) return 'pointsBelowMinimum'
    if (points > maximum) return 'pointsAboveMaximum'
    if (points % increment > 0) return 'pointsNotMultiple'
    if (points > share - (share % increment)) return 'pointsAboveShare'
    return this.spend(code.transaction, points, day, { undone: code.refund })
  }

  buyCoupons(id: string, quantity: number, day: string): string | null {
    const rule = this.rules.coupons[id]
    if (rule === undefined) return 'couponUnknown'
    const had = this.spendings.filter((s) => s.of === id && !s.cancelled)
    const count = had.reduce((sum, one) => sum + one.quantity, 0)
    if (rule.limit !== null && count + quantity > rule.limit) return 'couponLimit'
    const until = addDays(day, rule.days - 1)
    const coupons = Array.from({ length: quantity }, () => ({ until, used: false }))
    const of = { of: id, quantity, coupons, undone: code.cancelCoupon }
    return this.spend(code.coupon, rule.points * quantity, day, of)
  }

  useCoupon(spending: number, index: number, day: string): string | null {
    const bought = this.spendings[spending]
    const coupon = bought?.coupons[index]
    if (bought === undefined || coupon === undefined) return 'couponUnknown'
    if (coupon.used) return 'couponUsed'
    if (bought.cancelled || coupon.until < day) return 'couponExpired'
    coupon.used = true
    return null
  }

  cancel(index: number, day: string): string | null {
    const spending = this.spendings[index]
    if (spending === undefined || spending.cancelled) return 'notCancellable'
    if (spending.coupons.some((coupon) => coupon.used)) return 'notCancellable'
    spending.cancelled = true
    let debt = Math.max(0, -this.balance)
    this.entries.push([spending.undone, spending.parts.reduce((sum, part) => sum + part.points, 0)])
    for (const { lot, points } of spending.parts) {
      const repaid = Math.min(debt, points)
      debt -= repaid
      const back = points - repaid
      if (back > 0 && lot.until < day) this.entries.push([code.expired, -back])
      else lot.left += back
    }
    return null
  }

  /** Adds points by an adjustment or a transfer. */
  add(type: number, points: number, at: number): void {
    this.gain(type, points, at, this.dayOf(at))
  }

  /**
   * Deducts points. Adjustments may take pending points; transfers only points that can be spent.
   */
  deduct(type: number, points: number, day: string, pending: boolean): string | null {
    const lots = this.open((lot) => lot.until >= day && (pending || lot.from <= day))
    if (sumOf(lots) < points) return 'pointsAboveBalance'
    take(lots, points)
    this.entries.push([type, -points])
    return null
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
      .sort((a, b) => (a.until === b.until ? a.earnedAt - b.earnedAt : a.until < b.until ? -1 : 1))
  }

  /** The next three expiry days, with their points. */
  expiring(day: string): { points: number; expiryDate: string }[] {
    const ends = Map.groupBy(
      this.open((lot) => lot.until >= day),
      (lot) => lot.until,
    )
    return [...ends].slice(0, 3).map(([expiryDate, lots]) => ({ points: sumOf(lots), expiryDate }))
  }

  /** The next day, today included, on which points or a tier expire. */
  nextEnd(day: string): string | null {
    const ends = [...this.open().map((lot) => lot.until), this.tier.until ?? '']
    return ends.filter((end) => end >= day).sort()[0] ?? null
  }

  dayOf(at: number): string {
    return new Intl.DateTimeFormat('en-CA', { timeZone: this.rules.timeZone }).format(at)
  }

  private receipt(goods: readonly Goods[], store: string, at: number, back: number): void {
    const [day, cents] = [this.dayOf(at), centsOf(goods)]
    const usual = this.worth(cents, 1000)
    const promoted = this.rules.promotions
      .filter((promotion) => this.fits(promotion, goods, store, day))
      .map(({ skus, award }) => {
        const base = centsOf(goods.filter(({ sku }) => skus?.includes(sku) ?? true))
        const more = 'bonus' in award ? award.bonus : this.worth(base, award.thousandths - 1000)
        return { points: more, cents: base, skus }
      })
    this.tier.spend(day, cents - back)
    const from = addDays(day, this.rules.pendingDays)
    const awards = [{ points: usual, cents, skus: null }, ...promoted].flatMap((award, n) => {
      const lot = this.gain(n === 0 ? code.earned : code.promotion, award.points, at, from)
      return lot === null ? [] : [{ ...award, lot, lines: 0, whole: 0 }]
    })
    this.sales.push({ cents, returned: 0, awards })
  }

  private fits(p: ModelPromotion, goods: readonly Goods[], store: string, day: string): boolean {
    const there = goods.some(({ sku, cents }) => cents > 0 && (p.skus?.includes(sku) ?? true))
    const here = p.store === null || p.store === store
    return there && here && day >= p.from && day <= p.to && !(p.first && this.sales.length > 0)
  }

  /** Takes back the points that the returned goods had earned. */
  private undo(sale: Sale, back: Back, day: string): void {
    const cents = centsOf(back)
    const wanted = sale.awards.map((award) => {
      const before = takenOf(award, sale)
      if (typeof back === 'number') award.whole += back
      else award.lines += centsOf(back.filter(({ sku }) => award.skus?.includes(sku) ?? true))
      return takenOf(award, sale) - before
    })
    sale.returned += cents
    for (const [n, { lot }] of sale.awards.entries()) this.takeBack(wanted[n] ?? 0, lot, day)
  }

  private spend(type: number, points: number, day: string, what: Partial<Spending>): string | null {
    if (this.valid(day) < points) return 'pointsAboveBalance'
    const parts = take(
      this.open((lot) => lot.from <= day && lot.until >= day),
      points,
    )
    this.entries.push([type, -points])
    const plain = { undone: 0, cancelled: false, of: null, quantity: 0, coupons: [] }
    this.spendings.push({ ...plain, ...what, parts })
    return null
  }

  /** Points for money, with a multiple in thousandths, by the current tier. */
  private worth(cents: number, thousandths: number): number {
    const { perHundred } = this.rules
    const exact = BigInt(cents * perHundred) * BigInt(this.tier.thousandths * thousandths)
    return Number(exact / 10_000_000_000n)
  }

  private gain(type: number, points: number, at: number, from: string): Lot | null {
    if (points === 0) return null
    const debt = Math.min(points, Math.max(0, -this.balance))
    const { expiry } = this.rules
    const until =
      expiry.kind === 'months'
        ? monthEndAfter(this.dayOf(at), expiry.months)
        : nextOf(expiry.dates, from)
    const lot = { left: points - debt, earnedAt: at, from, until }
    this.entries.push([type, points])
    this.lots.push(lot)
    return lot
  }

  private takeBack(wanted: number, lot: Lot | null, day: string): void {
    if (wanted === 0) return
    const own = this.open((one) => one === lot)
    const others = this.open((one) => one !== lot && one.until >= day)
    const lots = [...own, ...others]
    const found = Math.min(wanted, sumOf(lots))
    take(lots, found)
    const points = this.rules.refund === 'debt' ? wanted : found
    if (points === 0) return
    this.entries.push([code.returned, -points])
    if (found < points) this.expire(day)
  }
}
