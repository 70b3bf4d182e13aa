import { type Decimal, decimalText, minus, readDecimal, rounded } from './decimal.ts'

// How money is written: with the decimals of the company's currency, and exact. This is the only
// place that knows how many decimals a currency has.

/** ISO 4217: the currencies that do not have two decimals. Those with four are units of account. */
const unusual: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
}
const decimals = new Map(
  Object.entries(unusual).flatMap(([count, codes]) =>
    codes.split(' ').map((code) => [code, Number(count)] as const),
  ),
)

/**
 * The decimals of a currency by ISO 4217. Not from `Intl`, whose data are about what people write:
 * there the Iraqi dinar has none.
 * @param code null: the company names no currency, and has the two of the specification
 */
export function currencyDecimals(code: string | null): number {
  return decimals.get(code ?? '') ?? 2
}

/** An amount as text with these decimals, rounded half away from zero. */
export function moneyText(amount: Decimal, places: number): string {
  return decimalText(rounded(amount, places))
}

/** `12.5` → `12.50`; null when the text is no decimal number or needs more decimals. */
export function readMoney(text: string, places: number): string | null {
  const read = readDecimal(text)
  if (read === null || minus(read, rounded(read, places)).units !== 0n) return null
  return moneyText(read, places)
}

/** Matches an amount that is written with exactly these decimals. @param digits before the point */
export function moneyPattern(places: number, digits: number): RegExp {
  return new RegExp(`^-?\\d{1,${digits}}${places === 0 ? '' : `\\.\\d{${places}}`}$`)
}
