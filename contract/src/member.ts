import * as z from 'zod/mini'
import { couponStatuses, genders } from './codes.ts'
import { endpoint } from './endpoint.ts'
import { Day, Instant, MemberCode, Place, Points, text } from './shapes.ts'
import { TierStanding } from './tier.ts'

const optionalText = z.nullable(z.string())

export const Member = z.object({
  memberCode: z.string(),
  uniCustomerNo: z.string(),
  cardNumber: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  gender: z.nullable(z.enum(genders)),
  birthday: z.nullable(Day),
  /** Digits without `+`. */
  countryCode: optionalText,
  /** The national number, digits only. */
  mobile: optionalText,
  email: optionalText,
  address: z.object({
    country: optionalText,
    province: optionalText,
    city: optionalText,
    district: optionalText,
    detail: optionalText,
  }),
  registrationDate: Day,
  registrationStore: z.nullable(Place),
  tnc: z.object({
    acceptedVersion: optionalText,
    acceptedAt: z.nullable(Instant),
    currentVersion: z.string(),
    needsResign: z.boolean(),
  }),
  marketingOptIn: z.boolean(),
  tier: z.object({ code: z.string(), name: z.string(), level: z.int() }),
  customFields: z.record(
    z.string(),
    z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  ),
  version: z.int(),
})
export type Member = z.infer<typeof Member>

/** The five ways to name one member in a query. `mobile` needs `countryCode` beside it. */
export const lookUpFields = ['cardNumber', 'mobile', 'code', 'uniCustomerNo', 'email'] as const

const LookUpQuery = z
  .strictObject({
    cardNumber: z.optional(text(32)),
    countryCode: z.optional(text(4).check(z.regex(/^[1-9]\d{0,3}$/))),
    mobile: z.optional(text(20).check(z.regex(/^\d{4,15}$/))),
    code: z.optional(MemberCode),
    uniCustomerNo: z.optional(text(64)),
    email: z.optional(text(254).check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/))),
  })
  .check(
    z.refine((q) => lookUpFields.filter((f) => q[f] !== undefined).length === 1, {
      error: 'exactlyOne',
      params: { reason: 'exactlyOne' },
    }),
    z.refine((q) => (q.mobile === undefined) === (q.countryCode === undefined), {
      error: 'required',
      path: ['countryCode'],
      params: { reason: 'required' },
    }),
  )

export const getOneCustomer = endpoint({
  method: 'GET',
  path: '/connector/customer/getOneCustomer',
  access: 'staff',
  idempotent: false,
  input: LookUpQuery,
  data: Member,
  refusals: ['memberUnknown'],
})

export const PointTotals = z.object({
  /** earned − redeemedOrExpired */
  balance: Points,
  /** The part of the balance that can be spent today. */
  valid: Points,
  redeemedOrExpired: Points,
  earned: Points,
})

export const PointStanding = z.extend(PointTotals, {
  /** The next three dates on which points end. */
  expiringSoon: z.array(z.object({ points: Points, expiryDate: Day })),
})

export const MembershipInfo = z.object({
  tier: z.nullable(TierStanding),
  points: z.nullable(PointStanding),
  couponCounts: z.nullable(z.record(z.enum(couponStatuses), z.int())),
})
export type MembershipInfo = z.infer<typeof MembershipInfo>

/** Parts that the staff member may not see are null. */
export const membershipInfo = endpoint({
  method: 'GET',
  path: '/connector/customer/membershipInfo',
  access: 'staff',
  idempotent: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: MembershipInfo,
  refusals: ['memberUnknown'],
})
