// What points must be, worked out as the engine's page says it and as a person would on paper: no
// SQL, and nothing of the engine's own code. The property test holds the one against the other.

export type ModelRules = {
  timeZone: string
  /** Points for a hundred units of money. */
  perHundred: number
  pendingDays: number
  refund: 'clamp' | 'debt'
  expiry: { kind: 'months'; months: number } | { kind: 'fixed'; dates: readonly string[] }
}

/** One forgives what was spent, in New York; the other lets a return make a debt, in London. */
export const worlds: readonly ModelRules[] = [
  {
    timeZone: 'America/New_York',
    perHundred: 100,
    pendingDays: 3,
    refund: 'clamp',
    expiry: { kind: 'months', months: 2 },
  },
  {
    timeZone: 'Europe/London',
    perHundred: 150,
    pendingDays: 0,
    refund: 'debt',
    expiry: { kind: 'fixed', dates: ['02-29', '06-30', '10-27', '12-31'] },
  },
]

/** Month ends, leap days, and the days on which clocks change there. */
export const special =
  '2024-01-31 2024-02-28 2024-02-29 2024-03-01 2024-03-10 2024-03-31 2024-04-30 2024-06-30 \
2024-07-01 2024-10-27 2024-11-03 2024-12-31 2025-02-28 2025-03-01 2025-03-09 2025-03-30 \
2025-06-30 2025-12-31'.split(' ')
/** Of UTC's day: around midnight in both places, with and without daylight saving. */
export const minutes = [0, 1, 239, 240, 241, 299, 300, 301, 420, 720, 1379, 1380, 1381, 1439]

type Lot = {
  points: number
  left: number
  earnedAt: number
  from: string
  /** The last day. */
  until: string
  /** Of which sale; null for anything else. */
  sale: number | null
}
type Sale = { cents: number; points: number; returned: number }
type Spending = { type: number; parts: { lot: Lot; points: number }[]; cancelled: boolean }

/** Type codes of the contract's page, less 100000000. */
const code = { earned: 0, returned: 8, refund: 9, cancelGift: 10, expired: 12, redeemGift: 4 }

export class ModelAccount {
  readonly entries: [type: number, points: number][] = []
  readonly lots: Lot[] = []
  readonly sales: Sale[] = []
  readonly spendings: Spending[] = []
  readonly rules: ModelRules

  constructor(rules: ModelRules) {
    this.rules = rules
  }

  get balance(): number {
    return this.entries.reduce((sum, [, points]) => sum + points, 0)
  }

  /** What can be spent on this day. */
  valid(day: string): number {
    return sumOf(this.open((lot) => lot.from <= day && lot.until >= day))
  }

  sale(cents: number, at: number): void {
    const points = this.worth(cents)
    this.sales.push({ cents, points, returned: 0 })
    const from = addDays(this.dayOf(at), this.rules.pendingDays)
    this.gain(code.earned, points, at, from, this.sales.length - 1)
  }

  /** @returns false when more would come back than is left of the sale */
  returnSale(index: number, cents: number, at: number): boolean {
    const sale = this.sales[index]
    if (sale === undefined || sale.returned + cents > sale.cents) return false
    const share = (money: number) => Math.floor((sale.points * money) / sale.cents)
    const wanted = share(sale.returned + cents) - share(sale.returned)
    sale.returned += cents
    this.takeBack(wanted, index, this.dayOf(at))
    return true
  }

  /** Goods come back that nobody can find a sale for. */
  returnLoose(cents: number, at: number): void {
    this.takeBack(this.worth(cents), null, this.dayOf(at))
  }

  /** @returns false when there is not enough */
  spend(type: number, points: number, day: string): boolean {
    if (this.valid(day) < points) return false
    const parts = this.take(
      this.open((lot) => lot.from <= day && lot.until >= day),
      points,
    )
    this.entries.push([type, -points])
    this.spendings.push({ type, parts, cancelled: false })
    return true
  }

  /** Only for what was spent on a gift or against a sale, and only once. */
  cancel(index: number, day: string): void {
    const spending = this.spendings[index]
    if (spending === undefined || spending.cancelled) throw new Error('not to be cancelled')
    spending.cancelled = true
    const points = spending.parts.reduce((sum, part) => sum + part.points, 0)
    let debt = Math.max(0, -this.balance)
    const type = spending.type === code.redeemGift ? code.cancelGift : code.refund
    this.entries.push([type, points])
    for (const { lot, points: taken } of spending.parts) {
      const repaid = Math.min(debt, taken)
      debt -= repaid
      const back = taken - repaid
      if (back > 0 && lot.until < day) this.entries.push([code.expired, -back])
      else lot.left += back
    }
  }

  /** Points that a company or another country gives. */
  add(type: number, points: number, at: number): void {
    this.gain(type, points, at, this.dayOf(at), null)
  }

  /** Points that a company takes, pending ones too. @returns false when there are not enough */
  deduct(type: number, points: number, day: string): boolean {
    const lots = this.open((lot) => lot.until >= day)
    if (sumOf(lots) < points) return false
    this.take(lots, points)
    this.entries.push([type, -points])
    return true
  }

  /** Every lot whose last day lies before this day. */
  expire(day: string): void {
    for (const lot of this.open((l) => l.until < day)) {
      this.entries.push([code.expired, -lot.left])
      lot.left = 0
    }
  }

  /** Lots with something left, in the order in which they burn. */
  open(fits: (lot: Lot) => boolean = () => true): Lot[] {
    return this.lots
      .filter((lot) => lot.left > 0 && fits(lot))
      .sort((a, b) => (a.until === b.until ? a.earnedAt - b.earnedAt : a.until < b.until ? -1 : 1))
  }

  dayOf(at: number): string {
    return new Intl.DateTimeFormat('en-CA', { timeZone: this.rules.timeZone }).format(at)
  }

  private worth(cents: number): number {
    return Math.floor((cents * this.rules.perHundred) / 10_000)
  }

  private gain(type: number, points: number, at: number, from: string, sale: number | null): void {
    if (points === 0) return
    const debt = Math.min(points, Math.max(0, -this.balance))
    const until = lastDay(this.dayOf(at), from, this.rules.expiry)
    this.entries.push([type, points])
    this.lots.push({ points, left: points - debt, earnedAt: at, from, until, sale })
  }

  private takeBack(wanted: number, sale: number | null, day: string): void {
    if (wanted === 0) return
    const own = sale === null ? [] : this.open((lot) => lot.sale === sale)
    const others = this.open((lot) => !own.includes(lot) && lot.until >= day)
    const lots = [...own, ...others]
    const found = Math.min(wanted, sumOf(lots))
    this.take(lots, found)
    const points = this.rules.refund === 'debt' ? wanted : found
    if (points === 0) return
    this.entries.push([code.returned, -points])
    if (found < points) this.expire(day)
  }

  private take(lots: readonly Lot[], points: number): { lot: Lot; points: number }[] {
    let missing = points
    return lots.flatMap((lot) => {
      const taken = Math.min(lot.left, missing)
      lot.left -= taken
      missing -= taken
      return taken === 0 ? [] : [{ lot, points: taken }]
    })
  }
}

function sumOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, lot) => sum + lot.left, 0)
}

/** N months on to the end of that month, or the next of some days after it can be spent. */
function lastDay(earned: string, from: string, expiry: ModelRules['expiry']): string {
  const year = Number(earned.slice(0, 4))
  if (expiry.kind === 'months') {
    // Day 0 of a month is the last of the one before it.
    return iso(Date.UTC(year, Number(earned.slice(5, 7)) + expiry.months, 0))
  }
  const days = [0, 1, 2].flatMap((later) =>
    expiry.dates.map((date) => {
      const [month = 1, day = 1] = date.split('-').map(Number)
      const end = new Date(Date.UTC(year + later, month, 0)).getUTCDate()
      return iso(Date.UTC(year + later, month - 1, Math.min(day, end)))
    }),
  )
  const next = days.filter((day) => day > from).sort()[0]
  if (next === undefined) throw new Error('no day is given')
  return next
}

export function addDays(day: string, count: number): string {
  return iso(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000)
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
