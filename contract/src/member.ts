import * as z from 'zod/mini'
import { couponStatuses, genders } from './wire/codes.ts'
import { endpoint } from './wire/endpoint.ts'
import { Language } from './wire/language.ts'
import {
  CalendarDay,
  CallingCode,
  Day,
  Email,
  Instant,
  MemberCode,
  NationalNumber,
  NumberOrMask,
  Place,
  Points,
  text,
} from './wire/shapes.ts'
import { TierStanding } from './tier.ts'

const optionalText = z.nullable(z.string())

/** What a field of the company's own may hold; its register form says which. */
export const CustomValue = z.nullable(
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
)
export type CustomValue = z.infer<typeof CustomValue>

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
  /** Codes of `getDictionary` where it knows the place, else what was typed. */
  address: z.object({
    country: optionalText,
    province: optionalText,
    city: optionalText,
    district: optionalText,
    detail: optionalText,
  }),
  /** The address as one line, its regions' names in the caller's language. */
  addressLine: optionalText,
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
  customFields: z.record(z.string(), CustomValue),
  version: z.int(),
})
export type Member = z.infer<typeof Member>

/** The five ways to name one member in a query. `mobile` needs `countryCode` beside it. */
export const lookUpFields = ['cardNumber', 'mobile', 'code', 'uniCustomerNo', 'email'] as const

const LookUpQuery = z
  .strictObject({
    cardNumber: z.optional(text(32)),
    countryCode: z.optional(CallingCode),
    mobile: z.optional(NationalNumber),
    code: z.optional(MemberCode),
    uniCustomerNo: z.optional(text(64)),
    email: z.optional(Email),
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

const part = z._default(z.nullable(text(120)), null)
const AddressTyped = z.strictObject({
  country: part,
  province: part,
  city: part,
  district: part,
  detail: z._default(z.nullable(text(300)), null),
})

/** The fields that the product knows; null empties one. The company's own stand beside them. */
const known = {
  firstName: z.optional(z.nullable(text(120))),
  lastName: z.optional(z.nullable(text(120))),
  gender: z.optional(z.nullable(z.enum(genders))),
  birthday: z.optional(z.nullable(CalendarDay)),
  countryCode: z.optional(z.nullable(CallingCode)),
  mobile: z.optional(z.nullable(NationalNumber)),
  email: z.optional(z.nullable(Email)),
  address: z.optional(z.nullable(AddressTyped)),
}

/**
 * Which fields there are, and which of them are required, is the company's register form. Its own
 * fields stand beside the known ones (a string, a number, a boolean or a list of strings, as their
 * type says); a field that it does not have is refused by name.
 */
export const createCustomer = endpoint({
  method: 'POST',
  path: '/connector/customer/create',
  access: ['register'],
  idempotent: true,
  input: z.catchall(
    z.object({
      ...known,
      /** The terms that the customer agreed to: the current ones. */
      tncVersion: text(32),
      marketingOptIn: z.boolean(),
      /** In which of the company's languages the customer read them; left out: the request's. */
      consentLanguage: z.optional(Language),
      /** What `validate…Captcha` answered, where the company wants the contact proven. */
      mobileVerification: z.optional(text(128)),
      emailVerification: z.optional(text(128)),
    }),
    z.unknown(),
  ),
  data: Member,
  refusals: ['contactTaken', 'captchaMissing'],
})

/**
 * `version` is the one that the clerk read; a member who changed meanwhile is refused. A contact
 * that comes back as it was told, masked, is left as it is.
 */
export const updateCustomer = endpoint({
  method: 'POST',
  path: '/connector/customer/update',
  access: ['userInfo'],
  idempotent: true,
  input: z.strictObject({
    memberCode: MemberCode,
    version: z.int(),
    changes: z.catchall(
      z.object({ ...known, mobile: z.optional(z.nullable(NumberOrMask)) }),
      z.unknown(),
    ),
  }),
  data: Member,
  refusals: ['memberUnknown', 'memberChanged', 'contactTaken'],
})

/** The customer agrees to the current terms again, and says anew whether offers are welcome. */
export const resignTnc = endpoint({
  method: 'POST',
  path: '/connector/customer/resignTnc',
  access: ['userInfo'],
  idempotent: true,
  input: z.strictObject({
    memberCode: MemberCode,
    tncVersion: text(32),
    marketingOptIn: z.boolean(),
    /** In which of the company's languages the customer read them; left out: the request's. */
    consentLanguage: z.optional(Language),
  }),
  data: Member,
  refusals: ['memberUnknown'],
})

/** What the member agreed to and when, newest first. */
export const listConsents = endpoint({
  method: 'GET',
  path: '/connector/customer/consents',
  access: ['userInfo'],
  idempotent: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: z.object({
    items: z.array(
      z.object({
        kind: z.enum(['terms', 'marketing']),
        version: z.string(),
        agreed: z.boolean(),
        language: Language,
        at: Instant,
        store: z.nullable(Place),
      }),
    ),
  }),
  refusals: ['memberUnknown'],
})

/** Tells a contact in full and leaves one audit row. */
export const revealContact = endpoint({
  method: 'POST',
  path: '/connector/customer/reveal',
  access: 'staff',
  idempotent: false,
  input: z.strictObject({ memberCode: MemberCode, field: z.enum(['mobile', 'email']) }),
  data: z.object({ value: optionalText }),
  refusals: ['memberUnknown'],
})
