import { decimal, decimalText, minus } from '@tillside/contract/rules/decimal'
import { readMoney } from '@tillside/contract/rules/money'
import {
  decideExchange,
  type ExchangeDecision,
  type ExchangeRule,
  shareLimit,
} from '@tillside/contract/rules/exchange'

// Predicts the answer of the server about points against a sale while the clerk types, to avoid
// refusals. The rule itself is shared with the server; this file parses the input and suggests
// numbers.

export type ExchangeError =
  | { kind: 'positiveInt' }
  | { kind: 'balance' | 'min' | 'max' | 'share'; limit: number }
  /** `near`: the valid numbers below and above. */
  | { kind: 'step'; limit: number; near: number[] }

export type Exchange = {
  rule: ExchangeRule
  /** The points that the member can spend today; null if the clerk may not see them. */
  usable: number | null
  /** The amount of the sale; null without a share rule, or until it has been typed. */
  amount: string | null
  /**
   * The sale has a receipt number. Other points may pay for it already, and the rules hold for all
   * of them together: only the server can say whether these reach the minimum and keep the steps.
   */
  named?: boolean
}

/** A whole number above 0, with or without commas; null if the text is not one. */
export function readPoints(text: string): number | null {
  const typed = text.normalize('NFKC').trim()
  if (!/^(?:\d{1,15}|\d{1,3}(?:,\d{3})+)$/.test(typed)) return null
  const points = Number(typed.replaceAll(',', ''))
  return Number.isSafeInteger(points) && points > 0 ? points : null
}

/**
 * An amount in the wire format; null if the text is not one, or has too many decimals.
 * @param places the decimals of the company's currency
 */
export function readAmount(text: string, places = 2): string | null {
  const typed = text.normalize('NFKC').trim()
  if (!/^(?:\d{1,13}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,3})?$/.test(typed)) return null
  return readMoney(typed.replaceAll(',', ''), places)
}

/** The first broken rule in the server's order, or null. */
export function exchangeErrorOf(points: number | null, exchange: Exchange): ExchangeError | null {
  if (points === null) return { kind: 'positiveInt' }
  const decision = decide(points, exchange)
  if (decision.outcome === 'takes') return null
  if (!('limit' in decision)) return { kind: 'positiveInt' }
  const { reason, limit } = decision
  const together = reason === 'pointsBelowMinimum' || reason === 'pointsNotMultiple'
  if (exchange.named === true && together) return null
  if (reason !== 'pointsNotMultiple') return { kind: kinds[reason], limit }
  const below = points - (points % limit)
  const near = [below, below + limit].filter((one) => fits(one, exchange))
  return { kind: 'step', limit, near }
}

const kinds = {
  pointsBelowMinimum: 'min',
  pointsAboveMaximum: 'max',
  pointsAboveShare: 'share',
  pointsAboveBalance: 'balance',
} as const

/** Ignores the share rule until the amount has been typed; all other rules apply. */
function decide(points: number, { rule, usable, amount }: Exchange): ExchangeDecision {
  return amount === null
    ? decideExchange({ ...rule, maxShare: null }, { points }, usable)
    : decideExchange(rule, { points, transactionAmount: amount }, usable)
}

function fits(points: number, exchange: Exchange): boolean {
  return decide(points, exchange).outcome === 'takes'
}

/** The lowest number of points that the rules allow. */
export function minimumPoints({ minimum, increment }: ExchangeRule): number {
  return Math.ceil(minimum / increment) * increment
}

/**
 * The most points that can be used, and up to two round numbers below it; empty if none are
 * allowed.
 */
export function suggestions(exchange: Exchange): number[] {
  const { rule, usable, amount } = exchange
  const { maxShare } = rule
  const cap =
    amount !== null && maxShare !== null ? shareLimit({ ...rule, maxShare }, amount) : null
  const bound = Math.min(rule.maximum, usable ?? rule.maximum, cap ?? rule.maximum)
  const most = bound - (bound % rule.increment)
  if (most <= 0 || most < rule.minimum) return []
  const round: number[] = []
  for (let power = 10 ** Math.floor(Math.log10(most)); power >= 1; power /= 10) {
    for (const one of [5 * power, 2 * power, power]) {
      if (one < most && fits(one, exchange)) round.push(one)
    }
  }
  return [most, ...round.slice(0, 2)]
}

/** The remaining amount to pay; both are decimal strings with the decimals of the currency. */
export function difference(amount: string, less: string): string {
  return decimalText(minus(decimal(amount), decimal(less)))
}
