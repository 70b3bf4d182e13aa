import * as z from 'zod/mini'
import { endpoint, nothing } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import { CalendarDay, Instant, Points } from './wire/shapes.ts'

/**
 * One action of this clerk. If it can be undone, `entryId` or `couponCode` has the input of the
 * call that undoes it.
 */
export const Activity = z.object({
  time: Instant,
  action: z.string(),
  /** Masked: the first and the last character. */
  memberName: z.nullable(z.string()),
  memberCode: z.nullable(z.string()),
  points: fact('ownPoints', z.nullable(Points)),
  couponName: fact('ownCoupon', z.nullable(z.string())),
  cancellable: z.boolean(),
  /** For `points/cancel`. */
  entryId: z.nullable(z.string()),
  /** For `coupon/cancelRedeem`. */
  couponCode: fact('ownCoupon', z.nullable(z.string())),
})
export type Activity = z.infer<typeof Activity>

/**
 * The actions of this staff account on one day, newest first, at most 500. The default is today.
 */
export const staffActivity = endpoint({
  method: 'GET',
  path: '/connector/staff/activity',
  access: 'staff',
  needsKey: false,
  input: z.strictObject({ date: z.optional(CalendarDay) }),
  data: z.object({ items: z.array(Activity), nextCursor: z.nullable(z.string()) }),
  refusals: [],
})

/**
 * The key that encrypts this account's search history in the browser. The page keeps it only in
 * memory, so other users of the device cannot read the history.
 */
export const searchHistoryKey = endpoint({
  method: 'GET',
  path: '/connector/staff/searchHistoryKey',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: z.object({
    /** 256 bits, base64. */
    key: z.string(),
  }),
  refusals: [],
})
