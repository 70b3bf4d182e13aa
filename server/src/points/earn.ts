import type { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { type Promotion, type Settings, textIn } from '../company/definition.ts'
import { statement } from '../database/database.ts'
import { addDays, addMonths, endOfMonth, nextYearly } from '@tillside/contract/rules/day'
import {
  decimal,
  decimalText,
  floor,
  minus,
  plus,
  rounded,
  smaller,
  times,
  zero,
} from '@tillside/contract/rules/decimal'
import { addEarning, type EntryOrigin, type Ledger } from './ledger.ts'

type PointRules = Settings['points']

const insertPromotion = statement(
  `insert into point_promotion (company_id, member_id, entry_id, promotion_id, sku_codes,
     sale_amount)
   values ($1, $2, $3, $4, $5, $6)`,
  z.unknown(),
)

/** Points for one unit of money, and how many times that a member of a tier earns. */
export type Rate = { perUnit: string; multiplier: string }

/**
 * The points of a sale: floor(perUnit × multiplier × amount), without rounding errors. A negative
 * amount earns 0.
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

/** What a promotion asks about a sale. */
export type Purchase = {
  /** In the company's calendar. */
  day: string
  storeCode: string | null
  /** What its goods cost, a decimal string; of each line too. */
  bought: string
  lines: readonly { skuCode: string; spend: string }[]
  /** Whether the member had bought nothing before. */
  first: boolean
}

/** Points that a promotion adds to a sale. `amount`: what of the sale it is for. */
export type PromotionAward = {
  promotion: Promotion
  points: number
  amount: string
  bought: string
}

/**
 * What each promotion adds that fits the sale. A multiplier m gives floor(perUnit × the tier's
 * multiplier × (m − 1) × amount) beside the usual points, where the amount is the spend of the
 * promotion's goods and never more than the sale's.
 * @returns those that give at least one point, in the order of the company's list
 */
export function promotionsFor(
  purchase: Purchase,
  promotions: readonly Promotion[],
  rate: Rate,
): PromotionAward[] {
  const { day, storeCode, bought, first } = purchase
  return promotions.flatMap((promotion): PromotionAward[] => {
    const { from, to, stores, firstPurchase, award } = promotion
    const amount = amountFor(promotion, purchase)
    if (day < from || day > to || (firstPurchase && !first)) return []
    if (stores !== null && (storeCode === null || !stores.includes(storeCode))) return []
    if (decimal(amount).units <= 0n) return []
    const points =
      'bonus' in award ? award.bonus : pointsFor(amount, beyondUsual(rate, award.multiplier))
    return points === 0 ? [] : [{ promotion, points, amount, bought }]
  })
}

function beyondUsual({ perUnit, multiplier }: Rate, promotion: string): Rate {
  const more = times(decimal(multiplier), minus(decimal(promotion), decimal('1')))
  return { perUnit, multiplier: decimalText(more) }
}

function amountFor({ skus }: Promotion, { bought, lines }: Purchase): string {
  if (skus === null) return bought
  const spent = lines
    .filter((line) => skus.includes(line.skuCode))
    .map((line) => decimal(line.spend))
    .filter((spend) => spend.units > 0n)
    .reduce(plus, zero)
  return decimalText(rounded(smaller(spent, decimal(bought)), 2))
}

/** What a promotion is called; null when the company has let go of it. */
export function promotionName(
  id: string | null,
  settings: Settings,
  language: Language,
): string | null {
  const promotion = settings.points.promotions.find((one) => one.id === id)
  return promotion === undefined ? null : textIn(promotion.names, language, settings)
}

/** Adds what a promotion gave a sale: an entry and a lot of its own, and what it was given for. */
export async function earnPromotion(
  ledger: Ledger,
  { promotion, points, amount, bought }: PromotionAward,
  day: string,
  rules: PointRules,
  origin: EntryOrigin,
): Promise<void> {
  const { id } = await addEarning(ledger, {
    ...origin,
    type: 'promotionEarned',
    points,
    amount,
    earnDate: day,
    ...lifeOf(day, rules),
  })
  const { tx, companyId, memberId } = ledger
  const of = [promotion.id, promotion.skus, bought]
  await tx.run(insertPromotion, [companyId, memberId, id, ...of])
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
