import type { Allowance } from '@tillside/contract/wire/allowance'
import { type GivenKind, givenKinds } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { alertOnce } from './alert.ts'

// The rule is the function's: an amount counts only if the total stays within the limit.
const take = statement(
  'select take_allowance($1, $2, $3, $4, $5, $6)::int as used',
  z.object({ used: z.nullable(z.int()) }),
)

type Giver = Pick<Context, 'tx' | 'company' | 'staff' | 'today' | 'isSystem'>

/** Coupons, points or acts, depending on the kind. */
type Given = Partial<Record<GivenKind, number>>

/** The count of one kind. `used` is the day's total, or null if it would be beyond the limit. */
type Taken = { kind: GivenKind; amount: number; used: number | null; limit: number; warnAt: number }

/**
 * The day's limit of a caller for one kind of value, and the total at which the company is alerted;
 * nulls where there is none, as for an API key.
 */
export function limitOf(
  isSystem: boolean,
  allowances: Settings['allowances'],
  kind: GivenKind,
): [limit: number | null, warnAt: number | null] {
  const allowance = isSystem ? null : allowances[kind]
  return [allowance?.refuse ?? null, allowance?.warn ?? null]
}

/**
 * Counts value that a clerk gives away, in the transaction that gives it. Send it after the
 * statements that lock the member's rows: every transaction takes the clerk's rows last.
 */
export async function takeAllowance(
  { tx, company, staff, today, isSystem }: Giver,
  { allowances }: Pick<Settings, 'allowances'>,
  given: Given,
): Promise<Taken[]> {
  const taken = givenKinds.map(async (kind) => {
    const [amount, [limit, warnAt]] = [given[kind] ?? 0, limitOf(isSystem, allowances, kind)]
    if (amount === 0 || limit === null || warnAt === null) return []
    const values = [company.id, staff.id, kind, today, amount, limit]
    const { used } = await tx.one(take, values)
    return [{ kind, amount, used, limit, warnAt }]
  })
  return (await Promise.all(taken)).flat()
}

type Refusing = Parameters<typeof alertOnce>[0] & {
  fail(failure: 'allowanceUsedUp', data: { kind: GivenKind; limit: number }): never
}

/**
 * Refuses a request beyond a limit, and alerts the company about the one that reaches `warn`.
 * @returns the count to show to the clerk from `warn` on; of several, the one nearest to its limit
 */
export function checkAllowance(
  context: Refusing,
  memberId: string,
  taken: Taken[],
): Allowance | undefined {
  const reached: Allowance[] = []
  for (const { kind, amount, used, limit, warnAt } of taken) {
    if (used === null) return context.fail('allowanceUsedUp', { kind, limit })
    if (used < warnAt) continue
    reached.push({ kind, used, limit })
    if (used - amount < warnAt) alertOnce(context, memberId, { kind, used, limit })
  }
  return reached.toSorted((a, b) => b.used / b.limit - a.used / a.limit)[0]
}
