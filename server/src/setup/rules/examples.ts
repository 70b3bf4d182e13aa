import { decideExchange, shareLimit } from '@tillside/contract/rules/exchange'
import { decimal, decimalText, minus, times } from '@tillside/contract/rules/decimal'
import { currencyDecimals, moneyText } from '@tillside/contract/rules/money'
import type { Definition } from '../../company/definition.ts'
import { statement, type Transaction } from '../../database/database.ts'
import { pointsFor } from '../../points/earn.ts'
import { tierEnd } from '../../tier/qualify.ts'
import { decideReview } from '../../tier/review.ts'
import * as z from 'zod/mini'

// The examples of a rule book. Each is the answer of a function that the engine itself decides by.

const readShares = statement(
  'select share_of_award($1, $2, 0, $3) as taken, share_of_award($1, $2, $3, $4) as rest',
  z.object({ taken: z.int(), rest: z.int() }),
)

type Tier = Definition['tiers'][number]
type Exchange = NonNullable<Definition['points']['exchange']>

const sales = ['123.45', '1234.50', '12345.00', '123450.00']

/** The first sale of some that earns points and may be paid with points; else the largest. */
export function saleOf(definition: Definition): string {
  const [tier] = definition.tiers
  const { exchange } = definition.points
  const fits = (sale: string) =>
    tier !== undefined &&
    earnedAt(definition, tier, sale) >= 10 &&
    (exchange === null || exchangeAt(exchange, sale) !== null)
  const places = currencyDecimals(definition.currency.code)
  const written = sales.map((sale) => moneyText(decimal(sale), places))
  return written.find(fits) ?? written.at(-1) ?? '0'
}

/** The points of a sale in a tier. */
export function earnedAt({ points }: Definition, tier: Tier, sale: string): number {
  return pointsFor(sale, { perUnit: points.perUnit, multiplier: tier.multiplier })
}

/** The most points that may pay for a sale, and the money that they pay; null when none may. */
export function exchangeAt(
  rule: Exchange,
  sale: string,
): { points: number; amount: string } | null {
  const { maxShare, maximum } = rule
  const limit = shareLimit({ ...rule, maxShare: maxShare ?? 1 }, sale)
  const points = Math.min(limit, maximum - (maximum % rule.increment))
  const { scale: decimals } = decimal(sale)
  const decision = decideExchange({ ...rule, decimals }, { points, transactionAmount: sale }, null)
  return decision.outcome === 'takes' ? decision : null
}

/** A sale with its points, the part of it that is returned, and the points of that and the rest. */
export type ReturnExample = {
  sale: string
  award: number
  part: string
  taken: number
  rest: number
}

/** A sale in the lowest tier of which three tenths are returned, and then the rest. */
export async function readReturn(tx: Transaction, definition: Definition): Promise<ReturnExample> {
  const [tier] = definition.tiers
  const sale = saleOf(definition)
  const award = tier === undefined ? 0 : earnedAt(definition, tier, sale)
  const { units, scale } = decimal(sale)
  const part = decimalText({ units: (units * 3n) / 10n, scale })
  const left = decimalText(minus(decimal(sale), decimal(part)))
  return { sale, award, part, ...(await tx.one(readShares, [award, sale, part, left])) }
}

/** The last day of a tier that was reached on `day`; null: it does not end. */
export function endOfTier(day: string, rules: Definition['tierRules']): string | null {
  return tierEnd(day, rules)
}

/** The highest tier, and the tier after a period with half the spending that would keep it. */
export function tierAfter({
  tiers,
  tierRules,
}: Definition): { tier: Tier; spent: string; next: Tier } | null {
  const held = tiers.at(-1)
  if (held === undefined) return null
  const half = times(decimal(held.renewThreshold), decimal('0.5'))
  const spent = decimalText({ units: half.units / 10n ** BigInt(half.scale), scale: 0 })
  const ladder = tiers.map((tier, index) => Object.assign({ level: index + 1 }, tier))
  const top = ladder.at(-1)
  if (top === undefined) return null
  const { rung } = decideReview(top, ladder, spent, tierRules.atEnd)
  const next = tiers.find((tier) => tier.code === rung.code)
  return next === undefined || next === held ? null : { tier: held, spent, next }
}
