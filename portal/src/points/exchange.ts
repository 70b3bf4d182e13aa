import { decimal, decimalText, minus } from '@tillside/contract/rules/decimal'
import {
  decideExchange,
  type ExchangeDecision,
  type ExchangeRule,
  shareLimit,
} from '@tillside/contract/rules/exchange'

// What the server will answer to points against a sale, said while the clerk still types. The
// decision is the server's own function; here are what is typed and what is offered.

export type Trouble =
  | { kind: 'positiveInt' }
  | { kind: 'balance' | 'min' | 'max' | 'share'; limit: number }
  /** `near`: the valid values on both sides. */
  | { kind: 'step'; limit: number; near: number[] }

export type Exchange = {
  rule: ExchangeRule
  /** What the member can spend today; null where the clerk may not see it. */
  usable: number | null
  /** The sale; null where no share rule asks for it, or until it has been typed. */
  amount: string | null
}

/** A whole number above 0 as people type it, with or without commas; null when it is none. */
export function readPoints(text: string): number | null {
  const typed = text.normalize('NFKC').trim()
  if (!/^(?:\d{1,15}|\d{1,3}(?:,\d{3})+)$/.test(typed)) return null
  const points = Number(typed.replaceAll(',', ''))
  return Number.isSafeInteger(points) && points > 0 ? points : null
}

/** An amount as the wire writes it, or null when the text is none with at most two decimals. */
export function readAmount(text: string): string | null {
  const typed = text.normalize('NFKC').trim()
  if (!/^(?:\d{1,13}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/.test(typed)) return null
  const [whole = '', fraction = ''] = typed.replaceAll(',', '').split('.')
  return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.padEnd(2, '0')}`
}

/** The first rule that these points break, in the server's order, or null. */
export function troubleWith(points: number | null, exchange: Exchange): Trouble | null {
  if (points === null) return { kind: 'positiveInt' }
  const decision = decide(points, exchange)
  if (decision.outcome === 'takes') return null
  if (!('limit' in decision)) return { kind: 'positiveInt' }
  const { reason, limit } = decision
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

/** The share cannot be judged before the amount has been typed; all else can. */
function decide(points: number, { rule, usable, amount }: Exchange): ExchangeDecision {
  return amount === null
    ? decideExchange({ ...rule, maxShare: null }, { points }, usable)
    : decideExchange(rule, { points, transactionAmount: amount }, usable)
}

function fits(points: number, exchange: Exchange): boolean {
  return decide(points, exchange).outcome === 'takes'
}

/** The fewest points that the rule takes at all. */
export function least({ minimum, increment }: ExchangeRule): number {
  return Math.ceil(minimum / increment) * increment
}

/** The most that can be used, and up to two round numbers below it; none when nothing fits. */
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

/** What is left to pay of an amount; both are decimal strings with two decimals. */
export function difference(amount: string, less: string): string {
  return decimalText(minus(decimal(amount), decimal(less)))
}
