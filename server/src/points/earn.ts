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
  smaller,
  times,
  zero,
} from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { addEarning, type Earning, type EntryOrigin, type LockedAccount } from './ledger.ts'

type PointRules = Settings['points']

const insertPromotion = statement('select add_promotion($1, $2, $3, $4, $5, $6)', z.unknown())

/** Points for one unit of money, and the multiplier of the member's tier; decimal strings. */
export type Rate = { perUnit: string; multiplier: string }

/** A sale would earn more points than can be counted exactly. */
export class TooManyPoints extends Error {
  constructor() {
    super('more points than can be counted exactly')
  }
}

/**
 * The points of a sale: floor(perUnit × multiplier × amount), without rounding errors. A negative
 * amount earns 0.
 * @param amount money, a decimal string
 * @throws TooManyPoints if the result is above `Number.MAX_SAFE_INTEGER`
 */
export function pointsFor(amount: string, rate: Rate): number {
  const exact = times(times(decimal(amount), decimal(rate.perUnit)), decimal(rate.multiplier))
  const points = Number(floor(exact))
  if (points > Number.MAX_SAFE_INTEGER) throw new TooManyPoints()
  return Math.max(0, points)
}

/**
 * Returns the first and the last day on which points earned on `day` can be spent. Under `months`,
 * they expire at the end of the month N months later. Under `fixed`, the next date is counted from
 * the first spendable day, so that pending points do not expire before they can be spent.
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

/** The points of a sale: those of the usual rate, and those of promotions. */
export type Earned = { usual: number; promotions: readonly PromotionAward[] }

export function totalOf({ usual, promotions }: Earned): number {
  return promotions.reduce((sum, award) => sum + award.points, usual)
}

/** An entry that a sale earns; for a promotion, with its goods and the money of the sale. */
export type SaleEarning = { earning: Earning; promotion: PromotionAward | null }

/**
 * The entries of a sale: one for the usual points, unless there are none, and one for each
 * promotion.
 * @param day the sale's day in the company's calendar
 * @param language of the promotions' names, which the ledger stores
 */
export function saleEarnings(
  { usual, promotions }: Earned,
  day: string,
  settings: Settings,
  language: Language,
  origin: EntryOrigin,
): SaleEarning[] {
  const of = { ...origin, earnDate: day, ...lifeOf(day, settings.points) }
  const first = { ...of, type: 'earned', points: usual } as const
  return [
    ...(usual === 0 ? [] : [{ earning: first, promotion: null }]),
    ...promotions.map((award) => {
      const { points, amount } = award
      const description = textIn(award.promotion.names, language, settings)
      const type = 'promotionEarned' as const
      return { earning: { ...of, type, points, amount, description }, promotion: award }
    }),
  ]
}

/** Adds an entry of a sale, its lot, and what later returns need to know about its promotion. */
export async function earn(
  account: LockedAccount,
  { earning, promotion }: SaleEarning,
): Promise<void> {
  const { id } = await addEarning(account, earning)
  if (promotion === null) return
  const { tx, companyId, memberId } = account
  const of = [promotion.promotion.id, promotion.promotion.skus, promotion.bought]
  await tx.run(insertPromotion, [companyId, memberId, id, ...of])
}

/** The facts about a sale that promotions depend on. */
export type Purchase = {
  /** The sale's day in the company's calendar. */
  day: string
  storeCode: string | null
  /** Net spend of the bought goods, a decimal string like the `spend` of each line. */
  bought: string
  lines: readonly { skuCode: string; spend: string }[]
  /** Whether this is the member's first purchase. */
  first: boolean
}

/** Points that a promotion adds to a sale. `amount`: the spend that the promotion applies to. */
export type PromotionAward = {
  promotion: Promotion
  points: number
  amount: string
  bought: string
}

/**
 * Calculates the extra points of each promotion that applies to the sale. A multiplier m gives
 * floor(perUnit × tier multiplier × (m − 1) × amount) in addition to the usual points. The amount
 * is the spend on the promotion's goods, limited to the spend of the sale.
 * @returns the promotions that give at least one point, in the order of the company's list
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
  return moneyText(smaller(spent, decimal(bought)), decimal(bought).scale)
}

/** A promotion's name in this language; null if the company has removed the promotion. */
export function promotionName(
  id: string | null,
  settings: Settings,
  language: Language,
): string | null {
  const promotion = settings.points.promotions.find((one) => one.id === id)
  return promotion === undefined ? null : textIn(promotion.names, language, settings)
}

/**
 * Calculates the part of `amount` for `now` of `whole` points, after the parts of `before` of them.
 * Rounded down like points, so that all parts add up to the amount.
 * @param amount money, a decimal string
 */
export function shareOfMoney(amount: string, whole: number, before: number, now: number): string {
  const { units, scale } = decimal(amount)
  const upTo = (points: number) => (units * BigInt(points)) / BigInt(whole)
  return decimalText({ units: upTo(before + now) - upTo(before), scale })
}
