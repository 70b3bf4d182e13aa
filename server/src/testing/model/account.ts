// The expected points of a member, calculated as a person would on paper: without SQL and without
// code of the engine. The property test compares the engine with it.

import { addDays } from './days.ts'
import { code, ModelLedger } from './ledger.ts'
import { live } from './life.ts'
import { type Back, centsOf, type Goods, hasLeft, type Sale, sumOf, take, takenOf } from './lots.ts'
import type { ModelPromotion, ModelRules } from './rules.ts'
import { ModelTier } from './tier.ts'

/** The returned side of an exchange. */
type Returned = { sale: Sale; cents: number }

export class ModelAccount extends ModelLedger {
  readonly sales: Sale[] = []
  readonly tier: ModelTier

  constructor(rules: ModelRules, since: string) {
    super(rules)
    this.tier = new ModelTier(rules, since)
  }

  buy(goods: readonly Goods[], store: string, at: number): void {
    this.receipt(goods, store, at, null)
  }

  /** @returns false if this is more than is left of the sale */
  returnGoods(index: number, back: Back, at: number): boolean {
    const sale = this.sales[index]
    const cents = centsOf(back)
    if (sale === undefined || !hasLeft(sale, back)) return false
    const day = this.dayOf(at)
    this.tier.review(day)
    this.tier.takeOff(sale.day, cents, day)
    this.undo(sale, back, day)
    return true
  }

  /**
   * Exchanges goods of a sale for others. @returns false if this is more than is left of the sale
   */
  swap(index: number, back: readonly Goods[], goods: Goods, store: string, at: number): boolean {
    const sale = this.sales[index]
    const cents = centsOf(back)
    if (sale === undefined || !hasLeft(sale, back)) return false
    this.receipt([goods], store, at, { sale, cents })
    this.undo(sale, back, this.dayOf(at))
    return true
  }

  /** Returns goods whose sale is unknown. */
  returnWithoutSale(cents: number, at: number): void {
    const day = this.dayOf(at)
    this.tier.review(day)
    const points = this.worth(cents, 1000)
    this.tier.spend(day, -cents)
    if (points === 0) return
    this.lastReturn = this.entries.length
    const lots = this.open((lot) => lot.until >= day)
    const isUsual = sumOf(lots) >= points
    if (!isUsual) this.expire(day)
    const before = live(this.facts, this.returned, day).balance
    this.facts.push({ kind: 'spend', id: {}, points, day, pending: true })
    if (!isUsual) return this.bookReturn([points], before, day)
    take(lots, points)
    this.entries.push([code.returned, -points])
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
    if (this.lastReturn >= spending.place) return this.cancelByLife(spending, day)
    this.facts.push({ kind: 'undo', id: spending })
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
    this.facts.push({ kind: 'spend', id: {}, points, day, pending })
    this.entries.push([type, -points])
    return null
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

  private receipt(goods: readonly Goods[], store: string, at: number, back: Returned | null): void {
    const [day, cents] = [this.dayOf(at), centsOf(goods)]
    this.tier.review(day)
    const usual = this.worth(cents, 1000)
    const promoted = this.rules.promotions
      .filter((promotion) => this.fits(promotion, goods, store, day))
      .map(({ skus, award }) => {
        const base = centsOf(goods.filter(({ sku }) => skus?.includes(sku) ?? true))
        const more = 'bonus' in award ? award.bonus : this.worth(base, award.thousandths - 1000)
        return { points: more, cents: base, skus }
      })
    this.tier.exchange(day, cents, back === null ? null : { day: back.sale.day, cents: back.cents })
    const from = addDays(day, this.rules.pendingDays)
    const awards = [{ points: usual, cents, skus: null }, ...promoted].flatMap((award, n) => {
      const lot = this.gain(n === 0 ? code.earned : code.promotion, award.points, at, from)
      return lot === null ? [] : [{ ...award, lot, lines: 0, whole: 0 }]
    })
    this.sales.push({ day, cents, returned: 0, goods, back: [], awards })
  }

  private fits(p: ModelPromotion, goods: readonly Goods[], store: string, day: string): boolean {
    const there = goods.some(({ sku, cents }) => cents > 0 && (p.skus?.includes(sku) ?? true))
    const here = p.store === null || p.store === store
    return (
      there &&
      here &&
      day >= p.from &&
      day <= p.to &&
      !(p.first && this.sales.some((sale) => sale.returned < sale.cents))
    )
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
    if (typeof back !== 'number') sale.back.push(...back)
    if (wanted.every((points) => points === 0)) return
    this.lastReturn = this.entries.length
    const own = sale.awards.map(({ lot }, n) => ({ lot, points: wanted[n] ?? 0 }))
    // After a return that was replayed, a spending may have taken points from other lots.
    const isUsual =
      !this.wasReplayed &&
      own.every(
        ({ lot, points }) =>
          points === 0 || (!lot.touched && lot.left >= points && lot.until >= day),
      )
    this.wasReplayed ||= !isUsual
    if (!isUsual) this.expire(day)
    const before = live(this.facts, this.returned, day).balance
    for (const { lot, points } of own) {
      this.returned.set(lot, (this.returned.get(lot) ?? 0) + points)
    }
    if (!isUsual) return this.bookReturn(wanted, before, day)
    for (const { lot, points } of own.filter((one) => one.points > 0)) {
      lot.left -= points
      this.entries.push([code.returned, -points])
    }
  }

  /** Points for money, with a multiple in thousandths, by the current tier. */
  private worth(cents: number, thousandths: number): number {
    const { perHundred } = this.rules
    const exact = BigInt(cents * perHundred) * BigInt(this.tier.thousandths * thousandths)
    return Number(exact / 10_000_000_000n)
  }
}
