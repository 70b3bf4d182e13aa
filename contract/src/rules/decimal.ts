/** An exact decimal number: `units` × 10^-`scale`. Money and rates are never floats. */
export type Decimal = { units: bigint; scale: number }

const pattern = /^(-?)(\d+)(?:\.(\d+))?$/

/** @throws Error when the text is not a plain decimal number */
export function decimal(text: string): Decimal {
  const read = readDecimal(text)
  if (read === null) throw new Error(`not a decimal number: ${text}`)
  return read
}

/** Null when the text is not a plain decimal number. */
export function readDecimal(text: string): Decimal | null {
  const [, sign, whole, fraction = ''] = pattern.exec(text) ?? []
  if (whole === undefined) return null
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

/**
 * Money in whole thousandths, the smallest coin of any currency, rounded half away from zero; null
 * when the text is not a decimal number.
 */
export function thousandths(amount: string): bigint | null {
  const read = readDecimal(amount)
  return read && rounded(read, 3).units
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale }
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { units: rescaled(a, scale).units + rescaled(b, scale).units, scale }
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, negated(b))
}

export function negated(a: Decimal): Decimal {
  return { units: -a.units, scale: a.scale }
}

export function larger(a: Decimal, b: Decimal): Decimal {
  return minus(a, b).units >= 0n ? a : b
}

export function smaller(a: Decimal, b: Decimal): Decimal {
  return minus(a, b).units <= 0n ? a : b
}

/** To `scale` digits, half away from zero, as PostgreSQL rounds `numeric`. */
export function rounded(a: Decimal, scale: number): Decimal {
  if (a.scale <= scale) return rescaled(a, scale)
  const step = 10n ** BigInt(a.scale - scale)
  const half = a.units < 0n ? -step / 2n : step / 2n
  return { units: (a.units + half) / step, scale }
}

/** Rounds down to a whole number. */
export function floor(a: Decimal): bigint {
  const one = 10n ** BigInt(a.scale)
  const whole = a.units / one
  return a.units < 0n && whole * one !== a.units ? whole - 1n : whole
}

/** Formats with exactly `scale` digits after the point. */
export function decimalText(a: Decimal): string {
  const digits = (a.units < 0n ? -a.units : a.units).toString().padStart(a.scale + 1, '0')
  const sign = a.units < 0n ? '-' : ''
  if (a.scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -a.scale)}.${digits.slice(-a.scale)}`
}

/** Formats a rate without trailing zeros: `1.500` is `1.5` and `2.000` is `2`. */
export function plainText(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

export const zero: Decimal = { units: 0n, scale: 0 }

/** The same number with more digits after the point. @param scale at least that of `a` */
export function rescaled(a: Decimal, scale: number): Decimal {
  return { units: a.units * 10n ** BigInt(scale - a.scale), scale }
}
