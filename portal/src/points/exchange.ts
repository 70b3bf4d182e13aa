import type { OtherConfig } from '@tillside/contract/company'
import { cents } from '../kit/text/format.ts'

// What the server will say of points against a sale, said while the clerk still types. The server
// decides; this only spares a refusal (ux.md 2.13).

export type ExchangeRule = NonNullable<OtherConfig['pointExchangeRule']>

export type Trouble =
  | { kind: 'positiveInt' }
  | { kind: 'balance' | 'min' | 'max' | 'share'; limit: number }
  /** `near`: the valid values on both sides. */
  | { kind: 'step'; limit: number; near: number[] }

export type Exchange = {
  rule: ExchangeRule
  /** What the member can spend today; null where the clerk may not see it. */
  usable: number | null
  /** What the share rule allows for this sale; null where there is no share rule. */
  cap: number | null
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
  const { rule, usable, cap } = exchange
  if (points === null) return { kind: 'positiveInt' }
  if (points < rule.minimum) return { kind: 'min', limit: rule.minimum }
  if (points > rule.maximum) return { kind: 'max', limit: rule.maximum }
  if (points % rule.increment !== 0) {
    const below = points - (points % rule.increment)
    const near = [below, below + rule.increment].filter((one) => fits(one, exchange))
    return { kind: 'step', limit: rule.increment, near }
  }
  if (cap !== null && points > cap) return { kind: 'share', limit: cap }
  if (usable !== null && points > usable) return { kind: 'balance', limit: usable }
  return null
}

function fits(points: number, exchange: Exchange): boolean {
  return points > 0 && troubleWith(points, exchange) === null
}

/** The fewest points that the rule takes at all. */
export function least({ minimum, increment }: ExchangeRule): number {
  return Math.ceil(minimum / increment) * increment
}

/** The most that can be used, and up to two round numbers below it; none when nothing fits. */
export function suggestions(exchange: Exchange): number[] {
  const { rule, usable, cap } = exchange
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

/**
 * What the share rule allows: floor(share × amount ÷ value of a point), down to the increment
 * (engine page, section 3).
 * @param amount decimal, in major units
 */
export function capOf({ maxShare, pointValue, increment }: ExchangeRule, amount: string): number {
  const [value, places] = scaled(pointValue)
  const [share, sharePlaces] = scaled((maxShare ?? 1).toFixed(6))
  const sale = cents(amount) ?? 0n
  if (value <= 0n) return 0
  const points = (share * sale * 10n ** places) / (value * 100n * 10n ** sharePlaces)
  const cap = Number(points < BigInt(Number.MAX_SAFE_INTEGER) ? points : Number.MAX_SAFE_INTEGER)
  return cap - (cap % increment)
}

/** The money that points pay, in major units. */
export function worth(points: number, pointValue: string): string {
  const [value, places] = scaled(pointValue)
  return decimal(BigInt(points) * value, places)
}

/** What is left to pay of an amount. */
export function difference(amount: string, less: string): string {
  return decimal((cents(amount) ?? 0n) - (cents(less) ?? 0n), 2n)
}

/** A decimal text as a whole number and how many of its digits stand behind the point. */
function scaled(text: string): [bigint, bigint] {
  const [, whole = '0', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  return [BigInt(whole + fraction), BigInt(fraction.length)]
}

function decimal(value: bigint, places: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(Number(places) + 1, '0')
  const sign = value < 0n ? '-' : ''
  if (places === 0n) return `${sign}${digits}`
  return `${sign}${digits.slice(0, -Number(places))}.${digits.slice(-Number(places))}`
}
