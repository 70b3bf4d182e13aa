import * as z from 'zod/mini'
import { couponStatuses, genders } from './wire/codes.ts'
import { endpoint } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import { Language } from './wire/language.ts'
import {
  CalendarDay,
  CallingCode,
  Day,
  Email,
  Instant,
  MemberCode,
  name,
  NationalNumber,
  NumberOrMask,
  Place,
  Points,
  text,
} from './wire/shapes.ts'
import { TierStanding } from './tier.ts'

const optionalText = z.nullable(z.string())

/** The value of a company's own field; the register form defines its type. */
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
  /** Region codes of `getDictionary` where it knows the place, or else free text. */
  address: fact(
    'profile',
    z.object({
      country: optionalText,
      province: optionalText,
      city: optionalText,
      district: optionalText,
      detail: optionalText,
    }),
  ),
  /** The address as one line, with the names of its regions in the caller's language. */
  addressLine: fact('profile', optionalText),
  registrationDate: Day,
  registrationStore: z.nullable(Place),
  tnc: fact(
    'profile',
    z.object({
      acceptedVersion: optionalText,
      acceptedAt: z.nullable(Instant),
      currentVersion: z.string(),
      needsResign: z.boolean(),
    }),
  ),
  marketingOptIn: fact('profile', z.boolean()),
  tier: fact(
    'tier',
    z.object({
      code: z.string(),
      name: z.string(),
      level: z.int(),
      /** The last day of a period that has ended and that the job has not reviewed yet; or null. */
      endedOn: z.nullable(Day),
    }),
  ),
  customFields: fact('profile', z.record(z.string(), CustomValue)),
  version: z.int(),
})
export type Member = z.infer<typeof Member>

/** The five keys by which a query can name one member. `mobile` also needs `countryCode`. */
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
  access: 'member',
  needsKey: false,
  input: LookUpQuery,
  data: Member,
  refusals: ['memberUnknown', 'lookUpChallenge'],
})

/** A member whose name begins as the clerk typed; masked, because many are not the customer. */
export const NameMatch = z.object({
  memberCode: z.string(),
  /** Masked: the first and the last character. */
  name: z.string(),
  countryCode: z.nullable(z.string()),
  /** Masked, also where the company shows contacts in full. */
  mobile: z.nullable(z.string()),
})
export type NameMatch = z.infer<typeof NameMatch>

/**
 * Finds members by the beginning of a family or given name, or by the pinyin initials of a Chinese
 * name; at most 20. By POST, so that no log of addresses has the name.
 */
export const searchByName = endpoint({
  method: 'POST',
  path: '/connector/customer/searchByName',
  access: ['homeMemberSearchByName'],
  needsKey: false,
  input: z.strictObject({ name: text(2000) }),
  data: z.object({ items: z.array(NameMatch), more: z.boolean() }),
  refusals: ['nameNotSearchable', 'nameTooShort', 'lookUpChallenge'],
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
  /** The next three dates on which points expire. */
  expiringSoon: z.array(z.object({ points: Points, expiryDate: Day })),
})

export const MembershipInfo = z.object({
  tier: fact('tier', TierStanding),
  points: fact('points', PointStanding),
  couponCounts: fact('coupons', z.record(z.enum(couponStatuses), z.int())),
})
export type MembershipInfo = z.infer<typeof MembershipInfo>

export const membershipInfo = endpoint({
  method: 'GET',
  path: '/connector/customer/membershipInfo',
  access: 'member',
  needsKey: false,
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

/** The known fields; null empties one. The company's own fields are in the same object. */
const known = {
  firstName: z.optional(z.nullable(name(120))),
  lastName: z.optional(z.nullable(name(120))),
  gender: z.optional(z.nullable(z.enum(genders))),
  birthday: z.optional(z.nullable(CalendarDay)),
  countryCode: z.optional(z.nullable(CallingCode)),
  mobile: z.optional(z.nullable(NationalNumber)),
  email: z.optional(z.nullable(Email)),
  address: z.optional(z.nullable(AddressTyped)),
}

/**
 * The company's register form defines the fields and which of them are required. Its own fields are
 * in the same object as the known ones, with a string, number, boolean or list of strings by their
 * type. An unknown field is refused by name.
 */
export const createCustomer = endpoint({
  method: 'POST',
  path: '/connector/customer/create',
  access: ['register'],
  needsKey: true,
  input: z.catchall(
    z.object({
      ...known,
      /** The version of the terms that the customer accepts; it must be the current one. */
      tncVersion: text(32),
      marketingOptIn: z.boolean(),
      /**
       * The language in which the customer read the terms, one of the company's; default: the
       * request's.
       */
      consentLanguage: z.optional(Language),
      /**
       * The proofs returned by `validate…Captcha`, where the company requires verified contacts.
       */
      mobileVerification: z.optional(text(128)),
      emailVerification: z.optional(text(128)),
    }),
    z.unknown(),
  ),
  data: Member,
  refusals: ['contactTaken', 'captchaMissing'],
})

/**
 * `version` is the one that the clerk read; if the member was changed since, the call is refused. A
 * masked contact that is sent back unchanged is not a change.
 */
export const updateCustomer = endpoint({
  method: 'POST',
  path: '/connector/customer/update',
  access: ['userInfo'],
  needsKey: true,
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

/** The customer accepts the current terms again and answers again about marketing. */
export const resignTnc = endpoint({
  method: 'POST',
  path: '/connector/customer/resignTnc',
  access: ['userInfo'],
  needsKey: true,
  input: z.strictObject({
    memberCode: MemberCode,
    tncVersion: text(32),
    marketingOptIn: z.boolean(),
    /**
     * The language in which the customer read the terms, one of the company's; default: the
     * request's.
     */
    consentLanguage: z.optional(Language),
  }),
  data: Member,
  refusals: ['memberUnknown'],
})

/** The member's consents, newest first. */
export const listConsents = endpoint({
  method: 'GET',
  path: '/connector/customer/consents',
  access: ['userInfo'],
  needsKey: false,
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

/** Returns a contact in full and writes one audit row. */
export const revealContact = endpoint({
  method: 'POST',
  path: '/connector/customer/reveal',
  access: 'member',
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode, field: z.enum(['mobile', 'email']) }),
  data: z.object({ value: optionalText }),
  refusals: ['memberUnknown', 'lookUpChallenge'],
})
