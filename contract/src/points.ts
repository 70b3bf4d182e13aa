import { givingAnswer } from './wire/allowance.ts'
import { pointTypes } from './wire/codes.ts'
import { maxPerRequest } from './rules/supply.ts'
import * as z from 'zod/mini'
import { endpoint } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import { PointTotals } from './member.ts'
import {
  CalendarDay,
  Day,
  Instant,
  list,
  MemberCode,
  Money,
  page,
  Place,
  Points,
  text,
  wholeNumber,
} from './wire/shapes.ts'

const typeCodes = Object.values(pointTypes).map(({ code }) => code)

export const PointEntry = z.object({
  id: z.string(),
  invoiceNumber: fact('sales', z.nullable(z.string())),
  /** A code of `pointTypes`; the names come from the dictionary. */
  type: z.int(),
  /** Signed. */
  points: Points,
  earnDate: z.nullable(Day),
  createDate: Instant,
  expiryDate: z.nullable(Day),
  /** The balance after this entry. */
  balance: Points,
  /** The money for which the points were earned, or which they paid. */
  amount: fact('sales', z.nullable(Money)),
  /**
   * The gift, coupon or promotion of the entry; a cancellation has that of the cancelled entry.
   * Names of gifts and promotions are translated; a coupon's name is in the company's language.
   */
  subject: z.nullable(z.string()),
  /** The reason that a person gave. */
  description: z.nullable(z.string()),
  store: z.nullable(Place),
})
export type PointEntry = z.infer<typeof PointEntry>

/** An entry in the answer to a spending: a clerk who may spend points may not see the balance. */
const MovedEntry = z.extend(PointEntry, { balance: fact('points', Points) })

/** Newest first. `from` and `to` are days of the company's calendar, both included. */
export const pointHistory = endpoint({
  method: 'POST',
  path: '/connector/customer/pointHistory',
  access: ['point'],
  needsKey: false,
  inQuery: ['memberCode', 'cursor', 'pageSize'],
  input: z.strictObject({
    memberCode: MemberCode,
    types: z.optional(
      z
        .array(z.int().check(z.minimum(Math.min(...typeCodes)), z.maximum(Math.max(...typeCodes))))
        .check(z.minLength(1), z.maxLength(16)),
    ),
    from: z.optional(CalendarDay),
    to: z.optional(CalendarDay),
    ...page,
  }),
  data: z.object({ ...list(PointEntry), totals: PointTotals }),
  refusals: ['memberUnknown'],
})

/** One lot of points: its origin and how much of it remains. */
export const PointLot = z.object({
  points: Points,
  remaining: Points,
  earnDate: z.nullable(Day),
  /** The first day on which its points can be spent. */
  activeFrom: Day,
  expiryDate: z.nullable(Day),
  invoiceNumber: fact('sales', z.nullable(z.string())),
  type: z.int(),
  /** The name of the promotion that gave it; null: no promotion. */
  promotion: z.nullable(z.string()),
})

/** What a return did to a member's points, if the lots do not show it. All points are 0 or more. */
export const ReturnEffect = z.object({
  /** The day of the return. */
  date: Day,
  /** The receipt of the return. */
  invoiceNumber: fact('sales', z.nullable(z.string())),
  /** Points of the returned goods that were taken back. */
  taken: Points,
  /** Points that had paid for the goods and were given back. */
  back: Points,
  /** The part of `back` that had expired before and lapsed at once. */
  lapsed: Points,
  /** Points that the member no longer had and need not repay. */
  forgiven: Points,
  /** Points that the member no longer had and that are left to repay. */
  owed: Points,
})
export type ReturnEffect = z.infer<typeof ReturnEffect>

/** Explains the balance by the first 500 lots with points, in burn order. */
export const explainPoints = endpoint({
  method: 'GET',
  path: '/connector/points/explain',
  access: ['point'],
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: z.object({
    balance: Points,
    valid: Points,
    /** Points in lots that cannot be spent yet. */
    pending: Points,
    lots: z.array(PointLot),
    /** Points that the next earnings repay; 0 if the balance is not below zero. */
    debt: Points,
    /** Returns behind a debt, then the newest 20 that gave points back or forgave some. */
    returns: z.array(ReturnEffect),
    rule: z.object({
      /** Points for one unit of net spend, and the multiplier of the member's tier. */
      perUnit: z.string(),
      multiplier: fact('tier', z.string()),
      pendingDays: z.int(),
      expiry: z.enum(['none', 'months', 'fixed']),
      months: z.nullable(z.int()),
    }),
  }),
  refusals: ['memberUnknown'],
})

export const Gift = z.object({
  giftId: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  image: z.nullable(z.string()),
  points: Points,
  /** Null: unlimited. */
  remaining: z.nullable(z.int()),
  perMemberLimit: z.nullable(z.int()),
  memberHas: z.int(),
  affordable: fact('points', z.boolean()),
})
export type Gift = z.infer<typeof Gift>

export const listGifts = endpoint({
  method: 'GET',
  path: '/connector/points/gift',
  access: ['pointRedeem'],
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: z.object({ items: z.array(Gift) }),
  refusals: ['memberUnknown'],
})

const forGift = {
  memberCode: MemberCode,
  kind: z.literal('gift'),
  giftId: text(32),
  quantity: wholeNumber(1, maxPerRequest),
}
const againstTransaction = {
  memberCode: MemberCode,
  kind: z.literal('transaction'),
  /** Zero and negative numbers are refused by a rule, after the check that rules exist. */
  points: Points,
  /** Required only if there is a share rule; it has the decimals of the company's currency. */
  transactionAmount: z.optional(z.string().check(z.regex(/^\d{1,15}(\.\d{2,3})?$/))),
  /** All points that pay for one invoice obey the rules together. */
  invoiceNumber: z.optional(text(64)),
  /** The till's own name of a sale that has no invoice number yet. */
  openSale: z.optional(text(64)),
}
const forCoupon = {
  memberCode: MemberCode,
  kind: z.literal('coupon'),
  couponId: text(32),
  quantity: wholeNumber(1, maxPerRequest),
}
/** The balance shown to the clerk; if it has changed, the call is refused. */
const expected = { expectedBalance: z.optional(Points) }

const pointRefusals = [
  'memberUnknown',
  'pointsNotConfigured',
  'pointsBelowMinimum',
  'pointsAboveMaximum',
  'pointsNotMultiple',
  'pointsAboveShare',
  'giftUnknown',
  'giftOutOfStock',
  'giftLimit',
  'pointsAboveBalance',
] as const

/**
 * Calculates a redemption without changing anything; it is refused for the same reasons as the
 * redemption.
 */
export const previewPoints = endpoint({
  method: 'POST',
  path: '/connector/points/preview',
  access: ['pointRedeem', 'pointExchange'],
  needsKey: false,
  input: z.discriminatedUnion('kind', [
    z.strictObject({ ...forGift, ...expected }),
    z.strictObject({ ...againstTransaction, ...expected }),
    z.strictObject(forCoupon),
  ]),
  data: z.object({
    points: Points,
    balanceBefore: fact('points', Points),
    balanceAfter: fact('points', Points),
    /** Money that the points pay; null for gifts and coupons. */
    amount: z.nullable(Money),
    lots: fact(
      'points',
      z.array(z.object({ points: Points, earnDate: z.nullable(Day), expiryDate: z.nullable(Day) })),
    ),
    nextExpiry: fact('points', z.nullable(z.object({ points: Points, expiryDate: Day }))),
  }),
  refusals: [
    ...pointRefusals,
    'couponUnknown',
    'couponOtherStore',
    'couponCost',
    'couponExpired',
    'couponOutOfStock',
    'couponLimit',
    'balanceChanged',
  ],
})

/** A gift needs the permission `pointRedeem`, a transaction `pointExchange`; the verb checks it. */
export const redeemPoints = endpoint({
  method: 'POST',
  path: '/connector/points/redeem',
  access: ['pointRedeem', 'pointExchange'],
  needsKey: true,
  input: z.discriminatedUnion('kind', [
    z.strictObject({ ...forGift, ...expected }),
    z.strictObject({ ...againstTransaction, ...expected }),
  ]),
  data: z.object({
    entry: MovedEntry,
    balance: fact('points', Points),
    amount: z.nullable(Money),
    ...givingAnswer,
  }),
  refusals: [...pointRefusals, 'balanceChanged', 'allowanceUsedUp'],
})

/** Allowed to the store that redeemed, within the company's undo time. */
export const cancelPoints = endpoint({
  method: 'POST',
  path: '/connector/points/cancel',
  access: ['pointRedeem', 'pointExchange'],
  needsKey: true,
  input: z.strictObject({ memberCode: MemberCode, entryId: z.uuid(), reason: text(200) }),
  data: z.object({
    entries: z.array(MovedEntry),
    balance: fact('points', Points),
    ...givingAnswer,
  }),
  refusals: ['memberUnknown', 'notCancellable', 'allowanceUsedUp'],
})
