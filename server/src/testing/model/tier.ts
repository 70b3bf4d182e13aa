import { addDays, monthEndAfter, yearBefore } from './days.ts'
import type { ModelRules } from './rules.ts'

// A member's tier, calculated from a list of spends. It shares no code with the engine.

export class ModelTier {
  level = 0
  from: string
  /** The last day; null: no end. */
  until: string | null = null
  private readonly spends: { day: string; cents: number }[] = []
  private readonly rules: ModelRules
  private readonly since: string

  constructor(rules: ModelRules, since: string) {
    this.rules = rules
    this.since = since
    this.from = since
  }

  get thousandths(): number {
    return this.rule(this.level).thousandths
  }

  /**
   * Takes returned spend off the day of its sale. The tier becomes what it would be without it,
   * unless it did not follow from the spend.
   * @param day the day of the return
   */
  takeOff(sold: string, cents: number, day: string): void {
    const newest = this.newest('')
    const judged = [day, this.from, newest ?? day].sort().at(-1) ?? day
    const before = this.again(judged)
    this.spends.push({ day: sold, cents: -cents })
    const after = this.again(judged)
    if (before.level !== this.level || String(before) === String(after)) return
    this.move(after.level, after.from, after.until)
  }

  toString(): string {
    return `${this.level} ${this.from} ${this.until}`
  }

  /** The tier by the spends alone, in the order of their days. */
  private again(judged: string): ModelTier {
    const life = new ModelTier(this.rules, this.since)
    const days = Map.groupBy(this.spends, (spend) => spend.day)
    for (const [day, spends] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) {
      life.review(day)
      life.spends.push(...spends)
      const reached = life.reached(life.sum(day))
      if (reached > life.level) life.move(reached, day, life.endFrom(day))
    }
    life.review(judged)
    return life
  }

  /** Adds what was bought, and takes off what was returned for it; both count for a higher tier. */
  exchange(day: string, cents: number, back: { day: string; cents: number } | null): void {
    if (back === null) return this.spend(day, cents)
    const returned = { day: back.day, cents: -back.cents }
    this.spends.push(returned)
    this.spend(day, cents)
    this.spends.splice(this.spends.indexOf(returned), 1)
    this.takeOff(back.day, back.cents, day)
  }

  /** Adds a receipt's spend, negative for goods of an unknown sale. */
  spend(day: string, cents: number): void {
    if (cents === 0) return
    const newest = this.newest('')
    const judged = newest === null || newest < day ? day : newest
    this.spends.push({ day, cents })
    const reached = this.reached(this.sum(judged))
    if (cents > 0 && reached > this.level) this.move(reached, judged, this.endFrom(judged))
  }

  /**
   * Ends each period that is over by today, then applies the spend since. If the review is late,
   * the tier reached by that spend may have ended too, so both are repeated.
   */
  review(today: string): void {
    while (this.until !== null && this.until < today) {
      this.endPeriods(today)
      const newest = this.newest(this.from, today)
      if (newest === null) continue
      const reached = this.reached(this.sum(newest))
      if (reached > this.level) this.move(reached, newest, this.endFrom(newest))
    }
  }

  private endPeriods(today: string): void {
    while (this.until !== null && this.until < today) {
      const last = this.until
      const spent = this.sum(last)
      const fallen = this.rules.atEnd === 'stepDown' ? this.level - 1 : this.reached(spent)
      const level = spent >= this.rule(this.level).renew ? this.level : fallen
      this.move(level, addDays(last, 1), level === 0 ? null : this.endFrom(last))
    }
  }

  /** The tier as the portal shows it: as the review decides it, also if the job is late. */
  standing(today: string) {
    const reviewed = new ModelTier(this.rules, this.since)
    reviewed.spends.push(...this.spends)
    reviewed.move(this.level, this.from, this.until)
    reviewed.review(today)
    return reviewed.stored(today)
  }

  private stored(today: string) {
    const spent = this.sum(today)
    const next = this.rules.tiers[this.level + 1]
    const { until } = this
    const start = until === null ? '' : yearBefore(until, this.rules.window)
    const last = until === null || until > today ? today : until
    const counted = this.total((day) => day >= start && day <= last)
    return {
      code: this.rule(this.level).code,
      startDate: this.from,
      expiryDate: until,
      gradeSpend: money(spent),
      gapToNextTier: next === undefined ? null : money(Math.max(0, next.threshold - spent)),
      gapToRenew: until === null ? null : money(Math.max(0, this.rule(this.level).renew - counted)),
    }
  }

  private move(level: number, from: string, until: string | null): void {
    this.level = level
    this.from = from
    this.until = until
  }

  private rule(level: number) {
    const rule = this.rules.tiers[level]
    if (rule === undefined) throw new Error(`there is no tier ${level}`)
    return rule
  }

  private reached(spent: number): number {
    return this.rules.tiers.findLastIndex(
      ({ threshold }, level) => level === 0 || threshold <= spent,
    )
  }

  private endFrom(day: string): string {
    return monthEndAfter(day, this.rules.validityMonths)
  }

  private newest(from: string, to = '9'): string | null {
    const days = this.spends.map(({ day }) => day).filter((day) => day >= from && day <= to)
    return days.sort().at(-1) ?? null
  }

  /** The spend in the year that ends on this day. */
  private sum(last: string): number {
    const start = yearBefore(last, this.rules.window)
    return this.total((day) => day >= start && day <= last)
  }

  private total(counts: (day: string) => boolean): number {
    return this.spends.filter(({ day }) => counts(day)).reduce((sum, { cents }) => sum + cents, 0)
  }
}

/** Cents in the format of the wire. */
export function money(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const whole = Math.abs(cents)
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}
