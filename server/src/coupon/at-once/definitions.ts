import { addDays } from '@tillside/contract/rules/day'
import { LruMap } from 'toad-cache'
import * as z from 'zod/mini'
import { Texts } from '../../company/definition.ts'
import { CouponRow } from '../coupon.ts'

// A process remembers the definitions of which it has issued coupons, so that it can write the
// answer of the next ones itself. PostgreSQL compares the version under the lock of the stock.

/** About 1 kB each. */
const maxDefinitions = 1_000

export const definitionColumns = `start_date, end_date, valid_days, starts_after, points_cost,
  names, descriptions, kind, shown_value(kind, value) as value, union_code, redeem_stores, version`

export const DefinitionRow = z.extend(
  z.pick(CouponRow, {
    descriptions: true,
    kind: true,
    value: true,
    union_code: true,
    redeem_stores: true,
  }),
  {
    names: Texts,
    start_date: z.nullable(z.string()),
    end_date: z.nullable(z.string()),
    valid_days: z.nullable(z.int()),
    starts_after: z.int(),
    points_cost: z.nullable(z.int()),
    version: z.string(),
  },
)

export type IssuableDefinition = z.infer<typeof DefinitionRow>

const remembered = new LruMap<IssuableDefinition>(maxDefinitions)

/** Remembers a definition as the database has it. */
export function rememberDefinition(
  companyId: string,
  couponId: string,
  definition: IssuableDefinition,
): void {
  remembered.set(`${companyId} ${couponId}`, definition)
}

/** The definition as this process last read it; null when it has not, or not for a long time. */
export function rememberedDefinition(
  companyId: string,
  couponId: string,
): IssuableDefinition | null {
  return remembered.get(`${companyId} ${couponId}`) ?? null
}

/** The first and the last day of a coupon that is issued today. */
export function validityFrom(
  definition: Pick<IssuableDefinition, 'start_date' | 'end_date' | 'valid_days' | 'starts_after'>,
  today: string,
): { start: string; end: string } {
  const { start_date: from, end_date: to, valid_days: days } = definition
  if (from !== null && to !== null) return { start: from, end: to }
  if (days === null) throw new Error('a coupon definition has neither dates nor days')
  const start = addDays(today, definition.starts_after)
  return { start, end: addDays(start, days - 1) }
}
