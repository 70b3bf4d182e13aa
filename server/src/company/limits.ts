import * as z from 'zod/mini'

const Positive = z.int().check(z.positive())

// The audit log is counted for each look-up, so the window is short.
const Minutes = z.int().check(z.positive(), z.maximum(60))

/** The value that one clerk may give away in a day; an alert is sent at `warn`. Null: no limit. */
const DayAllowance = z.nullable(
  z
    .strictObject({ warn: Positive, refuse: Positive })
    .check(z.refine(({ warn, refuse }) => warn <= refuse, { error: 'warns after it refuses' })),
)

// A busy clerk serves a customer every two minutes in a shift of ten hours: 300. The limits leave
// room for three times as many. A scale for points does not exist: one point is worth a cent in one
// company and a dollar in another.
/** The limits of one clerk, a part of a company's definition. */
export const Allowances = z.strictObject({
  /** Different members that a clerk sees in so many minutes; then the password is asked again. */
  lookUps: z._default(z.nullable(z.strictObject({ members: Positive, minutes: Minutes })), {
    members: 60,
    minutes: 10,
  }),
  couponsRedeemed: z._default(DayAllowance, { warn: 200, refuse: 1000 }),
  couponsIssued: z._default(DayAllowance, { warn: 200, refuse: 1000 }),
  pointRedemptions: z._default(DayAllowance, { warn: 200, refuse: 1000 }),
  pointsSpent: z._default(DayAllowance, null),
  undone: z._default(DayAllowance, { warn: 20, refuse: 200 }),
})
/** Enough for tills that round each line, in any currency. */
export const defaultTolerance = '0.05'

/** Which receipts of tills and files a company accepts. */
export const ReceiptRules = z.strictObject({
  /** The first day of sales, in the company's calendar; null: every day. */
  acceptSalesSince: z._default(z.nullable(z.iso.date()), null),
  /** Money that the lines of a receipt may differ from its total, because tills round. */
  lineTolerance: z._default(z.string().check(z.regex(/^\d{1,13}(\.\d{1,3})?$/)), defaultTolerance),
})

const RefundPolicy = z.enum(['debt', 'clamp'])
export type RefundPolicy = z.infer<typeof RefundPolicy>

/**
 * The rule for a return whose points are spent. `debt`: the balance falls below zero, and new
 * points repay it first. `clamp`: the return takes what is left, and the rest is forgiven.
 * @param refund the older name of the setting
 */
export function refundPolicyOf({
  refundPolicy,
  refund,
}: {
  refundPolicy?: RefundPolicy | undefined
  refund?: RefundPolicy | undefined
}): RefundPolicy {
  return refundPolicy ?? refund ?? 'debt'
}

/** The effect of a return on points, a part of the point rules. */
export const ReturnRules = z.strictObject({
  refundPolicy: z.optional(RefundPolicy),
  /** The older name of `refundPolicy`. */
  refund: z.optional(RefundPolicy),
  /** Whether points that paid for returned goods come back, by the share of the money. */
  returnGivesBackPoints: z._default(z.boolean(), true),
  /** Days after the return for which expired ones come back; 0: they lapse at once. */
  returnGraceDays: z._default(z.int().check(z.minimum(0), z.maximum(3660)), 30),
})
