import { decimal, type Decimal, decimalText, floor, rescaled, times } from './decimal.ts'
import { type Supply, supplyProblem } from './supply.ts'

// Which points may be spent, and what they are worth. The server decides with these functions; the
// portal calls the same ones to say the answer while the clerk still types.

/** A company's rule for points that pay for a part of a sale. Points, except where noted. */
export type ExchangeRule = {
  minimum: number
  maximum: number
  /** Points are spent in multiples of this. */
  increment: number
  /** Money for one point, a decimal string. */
  pointValue: string
  /** The largest part of a sale that points may pay, above 0 and at most 1; null: all of it. */
  maxShare: number | null
  /** The decimals of the company's currency; left out: two. */
  decimals?: number
}

/** `limit`: the bound that was broken, in points. */
export type Bound = {
  outcome: 'refused'
  reason:
    | 'pointsBelowMinimum'
    | 'pointsAboveMaximum'
    | 'pointsNotMultiple'
    | 'pointsAboveShare'
    | 'pointsAboveBalance'
  limit: number
}

/** `amount`: the money that the points pay, a decimal string; null for a gift. */
export type Takes = { outcome: 'takes'; points: number; amount: string | null }

export type ExchangeDecision =
  | (Takes & { amount: string })
  | Bound
  | { outcome: 'refused'; reason: 'pointsNotConfigured' }
  | { outcome: 'invalid'; path: 'points'; reason: 'tooSmall' }
  | { outcome: 'invalid'; path: 'transactionAmount'; reason: 'required' }

/**
 * Decides whether points may pay for a part of a sale (specification, section 5). Order of checks:
 * configured, positive, minimum, maximum, multiple, share of the sale, balance.
 * The rules hold for the sale: what was redeemed for it before counts with the points now, and a
 * limit in the answer is what is left of it for these points.
 * @param rule null: the company has none
 * @param asked `transactionAmount`: the sale, a decimal string in major units. `paidBefore`: points
 *   that pay for the same sale already
 * @param valid the points that can be spent today; null where the caller may not see them, then the
 *   balance is not checked
 */
export function decideExchange(
  rule: ExchangeRule | null,
  asked: { points: number; transactionAmount?: string | undefined; paidBefore?: number },
  valid: number | null,
): ExchangeDecision {
  if (rule === null) return { outcome: 'refused', reason: 'pointsNotConfigured' }
  const { points, transactionAmount, paidBefore = 0 } = asked
  const together = points + paidBefore
  const { minimum, maximum, increment, pointValue, maxShare, decimals } = rule
  // After a return, `paidBefore` may be no multiple. The limit for these points still is one.
  const left = (limit: number, round: (steps: number) => number) =>
    paidBefore === 0 ? limit : Math.max(0, round((limit - paidBefore) / increment) * increment)
  if (points <= 0) return { outcome: 'invalid', path: 'points', reason: 'tooSmall' }
  if (together < minimum) return beyond('pointsBelowMinimum', left(minimum, Math.ceil))
  if (together > maximum) return beyond('pointsAboveMaximum', left(maximum, Math.floor))
  // After a partial return, what was paid before may be no multiple.
  if (points % increment !== 0) return beyond('pointsNotMultiple', increment)
  if (maxShare !== null) {
    if (transactionAmount === undefined) {
      return { outcome: 'invalid', path: 'transactionAmount', reason: 'required' }
    }
    const limit = shareLimit({ pointValue, increment, maxShare }, transactionAmount)
    if (together > limit) return beyond('pointsAboveShare', left(limit, Math.floor))
  }
  if (valid !== null && points > valid) return beyond('pointsAboveBalance', valid)
  return { outcome: 'takes', points, amount: worth(points, pointValue, decimals) }
}

export type GiftDecision =
  | (Takes & { amount: null })
  | Bound
  | { outcome: 'refused'; reason: 'giftUnknown' | 'giftOutOfStock' | 'giftLimit' }

/**
 * Decides whether a member may have gifts for points. Order of checks: known, in stock, within the
 * member's limit, balance.
 * @param gift `points`: for one of them; null: there is no such gift
 * @param valid the points that can be spent today
 */
export function decideGift(
  gift: (Supply & { points: number }) | null,
  quantity: number,
  valid: number,
): GiftDecision {
  if (gift === null) return { outcome: 'refused', reason: 'giftUnknown' }
  const problem = supplyProblem(gift, quantity)
  if (problem !== null) {
    return { outcome: 'refused', reason: problem === 'limit' ? 'giftLimit' : 'giftOutOfStock' }
  }
  const points = gift.points * quantity
  if (points > valid) return beyond('pointsAboveBalance', valid)
  return { outcome: 'takes', points, amount: null }
}

/**
 * The points that may pay for a sale: floor(share × amount ÷ value), rounded down to the increment.
 * The specification (section 5) names the limit without a formula; rounding down never passes it.
 * Where a point has no value, no point may pay.
 * @param amount of the sale, a decimal string in major units
 * @returns at most `Number.MAX_SAFE_INTEGER`
 */
export function shareLimit(
  rule: { maxShare: number; pointValue: string; increment: number },
  amount: string,
): number {
  const share = times(ofNumber(rule.maxShare), decimal(amount))
  const value = decimal(rule.pointValue)
  if (value.units === 0n) return 0
  const scale = Math.max(share.scale, value.scale)
  const exact = rescaled(share, scale).units / rescaled(value, scale).units
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  const points = Number(exact < most ? exact : most)
  return points - (points % rule.increment)
}

/**
 * The money that points pay: points × value, rounded down to the smallest coin, so that it never
 * passes the share. The specification gives no formula.
 * @param pointValue money for one point, a decimal string
 * @param places the decimals of the company's currency
 * @returns a decimal string with these decimals
 */
export function worth(points: number, pointValue: string, places = 2): string {
  const exact = times(decimal(String(points)), decimal(pointValue))
  const coins = times(exact, { units: 10n ** BigInt(places), scale: 0 })
  return decimalText({ units: floor(coins), scale: places })
}

function beyond(reason: Bound['reason'], limit: number): Bound {
  return { outcome: 'refused', reason, limit }
}

/** The shortest decimal that JavaScript reads as this number, also where it writes an exponent. */
function ofNumber(value: number): Decimal {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  const { units, scale } = decimal(digits)
  const places = scale - Number(exponent)
  return places < 0 ? { units: units * 10n ** BigInt(-places), scale: 0 } : { units, scale: places }
}
