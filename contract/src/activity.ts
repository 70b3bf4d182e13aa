import * as z from 'zod/mini'
import { endpoint, nothing } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import { OperationKey } from './wire/operation.ts'
import { CalendarDay, Instant, lines, Money, Points } from './wire/shapes.ts'

/**
 * The kinds of actions, in the order of the totals. An undo has the kind of the undone action.
 * `sale`: points that paid a part of a sale; `couponBought`: a coupon for points; `other`: contacts
 * shown, and the actions of a newer server.
 */
export const activityKinds = [
  'couponRedeemed',
  'gift',
  'sale',
  'couponBought',
  'couponIssued',
  'registered',
  'profile',
  'other',
] as const
export const ActivityKind = z.enum(activityKinds)
export type ActivityKind = z.infer<typeof ActivityKind>

/**
 * One action of a clerk. If it can be undone, `entryId` or `couponCode` has the input of the
 * call that undoes it.
 */
export const Activity = z.object({
  time: Instant,
  action: z.string(),
  kind: ActivityKind,
  /** Masked: the first and the last character. */
  memberName: z.nullable(z.string()),
  memberCode: z.nullable(z.string()),
  points: fact('ownPoints', z.nullable(Points)),
  couponName: fact('ownCoupon', z.nullable(z.string())),
  /** The gift with its quantity, such as `Mug × 2`; also where a redemption of it was undone. */
  giftName: fact('ownPoints', z.nullable(z.string())),
  /** The part of a sale that the points paid. */
  amount: fact('ownPoints', z.nullable(Money)),
  cancellable: z.boolean(),
  /** For `points/cancel`. */
  entryId: z.nullable(z.string()),
  /** The key of the request, which a printed slip has; kept for 48 hours. */
  operation: z.nullable(OperationKey),
  /** For `coupon/cancelRedeem`. */
  couponCode: fact('ownCoupon', z.nullable(z.string())),
})
export type Activity = z.infer<typeof Activity>

/** The actions of one kind on one day, all of them. */
export const ActivityTotal = z.object({
  kind: ActivityKind,
  /** Pieces of gifts and coupons; actions of the other kinds. Undone ones count too. */
  count: z.int(),
  /** How many were undone on this day, also those of an earlier one. */
  undone: z.int(),
  /** Less the returned ones. */
  points: fact('ownPoints', z.nullable(Points)),
  /** Paid with points, less the undone part. */
  amount: fact('ownPoints', z.nullable(Money)),
})
export type ActivityTotal = z.infer<typeof ActivityTotal>

/**
 * The actions of this staff account on one day, newest first, at most 500, and the totals of all.
 * The default is today.
 */
export const staffActivity = endpoint({
  method: 'GET',
  path: '/connector/staff/activity',
  access: 'staff',
  needsKey: false,
  input: z.strictObject({ date: z.optional(CalendarDay) }),
  data: z.object({
    items: z.array(Activity),
    totals: z.array(ActivityTotal),
    nextCursor: z.nullable(z.string()),
  }),
  refusals: [],
})

/** A clerk as colleagues know them. */
export const Clerk = z.object({
  account: z.string(),
  firstName: z.string(),
  lastName: z.string(),
})
export type Clerk = z.infer<typeof Clerk>

export const StoreActivity = z.extend(Activity, { account: z.string() })
export type StoreActivity = z.infer<typeof StoreActivity>

/**
 * The actions of all clerks at the caller's store on one day, newest first, at most 500, with the
 * totals of all and of each clerk. The default is today. Every reading is audited.
 */
export const storeActivity = endpoint({
  method: 'GET',
  path: '/connector/staff/storeActivity',
  access: ['storeShift'],
  needsKey: false,
  input: z.strictObject({ date: z.optional(CalendarDay) }),
  data: z.object({
    items: z.array(StoreActivity),
    totals: z.array(ActivityTotal),
    clerks: z.array(z.extend(Clerk, { totals: z.array(ActivityTotal) })),
  }),
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

// A hand-over note is a clerk's text for the colleagues at the same store. Each note is its own, so
// two clerks overwrite nothing at the same moment.

/** In characters (Unicode code points). */
export const noteLimit = 500
/** After these days a note is no longer shown, and is deleted. */
export const noteDays = 7

export const ShiftNote = z.object({
  noteId: z.string(),
  text: z.string(),
  writtenAt: Instant,
  /** The author's name parts. */
  firstName: z.string(),
  lastName: z.string(),
  /** The caller wrote it. */
  own: z.boolean(),
  /** The caller has confirmed it, or wrote it. */
  read: z.boolean(),
  /** The colleagues that confirmed it. */
  readers: z.array(z.object({ firstName: z.string(), lastName: z.string() })),
})
export type ShiftNote = z.infer<typeof ShiftNote>

/** The notes of the last seven days at the caller's store, newest first, at most 50. */
export const listShiftNotes = endpoint({
  method: 'GET',
  path: '/connector/staff/shiftNotes',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: z.object({ items: z.array(ShiftNote) }),
  refusals: [],
})

/**
 * Writes a note for the colleagues at this store. The same text of the same clerk on one day is one
 * note, so a repeated request has no second effect.
 */
export const writeShiftNote = endpoint({
  method: 'POST',
  path: '/connector/staff/writeShiftNote',
  access: 'staff',
  needsKey: false,
  input: z.strictObject({ text: lines(noteLimit) }),
  data: z.null(),
  refusals: [],
})

/** Confirms that the caller has read a note. A note that is gone needs no confirmation. */
export const readShiftNote = endpoint({
  method: 'POST',
  path: '/connector/staff/readShiftNote',
  access: 'staff',
  needsKey: false,
  input: z.strictObject({ noteId: z.uuid() }),
  data: z.null(),
  refusals: [],
})
