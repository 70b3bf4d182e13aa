import * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * The facts of an answer that need a permission of their own, whichever call answers them. One of
 * the permissions is enough. Without it the server answers null in the fact's place.
 */
export const facts = {
  /** The member's tier and its standing, and the company's tiers. */
  tier: ['homeMembertier'],
  /** A member's points: the balance, what was earned, when it expires. */
  points: ['point'],
  /** The points that a request of this clerk moved. */
  ownPoints: ['point', 'pointRedeem', 'pointExchange'],
  /** Which coupons a member has, and how many. */
  coupons: ['coupon'],
  /** The coupon that a request of this clerk redeemed or issued. */
  ownCoupon: ['coupon', 'couponView', 'couponRedeem', 'homeIssuecoupon', 'pointExchange'],
  /** The details of one coupon: its description, its union code, the day of issue. */
  couponDetail: ['couponView'],
  /** A member's sales: the numbers and amounts of receipts. */
  sales: ['transaction'],
  /** The part of a member's profile that only the page for editing shows. */
  profile: ['userInfo'],
  /** The company's rule for points against a sale. */
  exchangeRule: ['pointExchange'],
} as const satisfies Record<string, readonly Permission[]>
export type FactName = keyof typeof facts

const named = z.registry<{ name: FactName }>()

/** Marks a part of an answer as a fact; the part is null for a clerk without the permission. */
export function fact<T extends z.ZodMiniType>(name: FactName, schema: T): z.ZodMiniNullable<T> {
  const marked = z.nullable(schema)
  named.add(marked, { name })
  return marked
}

/** The fact that this schema was marked as; undefined if it is not marked. */
export function factOf(schema: z.core.$ZodType): FactName | undefined {
  return named.get(schema)?.name
}

/** Whether these permissions allow the fact. */
export function maySee(permissions: ReadonlySet<Permission>, name: FactName): boolean {
  return facts[name].some((permission) => permissions.has(permission))
}
