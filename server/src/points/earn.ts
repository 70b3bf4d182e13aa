import type { Settings } from '../company/definition.ts'
import { addDays, addMonths, endOfMonth, nextYearly } from '../kit/day.ts'
import { decimal, floor, rounded, times } from '../kit/decimal.ts'
import { addEarning, type EntryOrigin, type Ledger } from './ledger.ts'

type PointRules = Settings['points']

/** Points for one unit of money, and how many times that a member of a tier earns. */
export type Rate = { perUnit: string; multiplier: string }

/**
 * engine.md section 3: floor(perUnit × multiplier × amount), exactly; nothing for no or negative
 * spend.
 * @param amount money, a decimal string
 * @throws Error when there would be more points than a number can tell exactly
 */
export function pointsFor(amount: string, rate: Rate): number {
  const exact = times(times(decimal(amount), decimal(rate.perUnit)), decimal(rate.multiplier))
  const points = Number(floor(exact))
  if (points > Number.MAX_SAFE_INTEGER) throw new Error('more points than can be counted exactly')
  return Math.max(0, points)
}

/**
 * From when to when points earned on `day` can be spent, both days included. `months` ends with the
 * month that lies N months on. A fixed date counts from the first spendable day, so that waiting
 * for it never leaves a lot that ends before it begins.
 */
export function lifeOf(
  day: string,
  rules: Pick<PointRules, 'pendingDays' | 'expiry'>,
): { activeFrom: string; expiresOn: string | null } {
  const activeFrom = addDays(day, rules.pendingDays)
  switch (rules.expiry.kind) {
    case 'none':
      return { activeFrom, expiresOn: null }
    case 'months':
      return { activeFrom, expiresOn: endOfMonth(addMonths(day, rules.expiry.months)) }
    case 'fixed':
      return { activeFrom, expiresOn: nextYearly(activeFrom, rules.expiry.dates) }
  }
}

/**
 * Adds what a sale earned: one entry and one lot.
 * @param points what `pointsFor` said; nothing is written for 0
 * @param day the sale's day in the company's calendar
 */
export async function earn(
  ledger: Ledger,
  points: number,
  day: string,
  rules: PointRules,
  origin: EntryOrigin,
): Promise<void> {
  if (points === 0) return
  const life = lifeOf(day, rules)
  await addEarning(ledger, { ...origin, type: 'earned', points, earnDate: day, ...life })
}

/**
 * How much of an award goes when `before` of its money was already returned and `now` more comes
 * back: the difference of the running shares, each rounded down. It is the largest-remainder share
 * of a sequence: n partial returns never take more than the award, and returning all of it takes
 * all.
 * @param award points that `amount` of money earned
 */
export function shareOfAward(award: number, amount: string, before: string, now: string): number {
  const [whole, earlier, later] = [decimal(amount), decimal(before), decimal(now)].map(
    (value) => rounded(value, 4).units,
  )
  if (whole === undefined || earlier === undefined || later === undefined || whole <= 0n) return 0
  const upTo = (returned: bigint) => (BigInt(award) * (returned > whole ? whole : returned)) / whole
  return Number(upTo(earlier + later) - upTo(earlier))
}
