import * as z from 'zod/mini'
import {
  createCustomer,
  listConsents,
  Member,
  PointStanding,
  resignTnc,
  updateCustomer,
} from '../member.ts'
import { callingCodePattern, emailPattern, nationalNumberPattern } from '../rules/contact.ts'
import { explainTier, TierStanding } from '../tier.ts'
import { genders } from '../wire/codes.ts'
import { Language } from '../wire/language.ts'
import {
  CalendarDay,
  CallingCode,
  Email,
  Instant,
  MemberCode,
  name,
  NationalNumber,
  text,
  wholeNumber,
} from '../wire/shapes.ts'
import { answers, Batch } from './batch.ts'
import { integrationEndpoint, maxPage } from './endpoint.ts'
const place = z.nullable(text(120))
const CustomValue = z.nullable(
  z.union([text(500), z.number(), z.boolean(), z.array(text(100)).check(z.maxLength(50))]),
)
const optional = <T extends z.ZodMiniType>(type: T) => z._default(z.nullable(type), null)

export const NewMemberItem = z
  .strictObject({
    memberCode: MemberCode,
    uniCustomerNo: text(64),
    cardNumber: text(32),
    firstName: name(120),
    lastName: z._default(z.union([z.literal(''), name(120)]), ''),
    gender: optional(z.enum(genders)),
    birthday: optional(CalendarDay),
    countryCode: optional(z.string().check(z.regex(callingCodePattern))),
    mobile: optional(z.string().check(z.regex(nationalNumberPattern))),
    email: optional(text(254).check(z.regex(emailPattern))),
    address: z._default(
      z.strictObject({
        country: z.optional(place),
        province: z.optional(place),
        city: z.optional(place),
        district: z.optional(place),
        detail: z.optional(z.nullable(text(300))),
      }),
      {},
    ),
    /** Null: today. */
    registrationDate: optional(CalendarDay),
    registrationStore: optional(text(32)),
    marketingOptIn: z._default(z.boolean(), false),
    /** By the names of the company's own fields. */
    customFields: z._default(z.record(z.string(), CustomValue), {}),
    /** The accepted terms; null: none yet. */
    consent: optional(
      z.strictObject({
        version: text(32),
        language: Language,
        at: Instant.check(z.regex(/^(?!0000)/)),
      }),
    ),
  })
  .check(
    z.refine((m) => m.mobile === null || m.countryCode !== null, {
      path: ['countryCode'],
      error: 'required',
      params: { reason: 'required' },
    }),
    z.refine((m) => m.mobile !== null || m.countryCode === null, {
      path: ['mobile'],
      error: 'required',
      params: { reason: 'required' },
    }),
  )
export type NewMemberItem = z.infer<typeof NewMemberItem>

export const postMembers = integrationEndpoint({
  method: 'POST',
  path: '/members',
  scope: 'members:write',
  tag: 'Members',
  summary: 'Create members in bulk',
  description:
    'Stores members that another system has registered. The member code identifies a member, so ' +
    'a repeated item is `unchanged`.',
  input: Batch,
  item: NewMemberItem,
  data: answers({ memberCode: z.string() }),
  refusals: [],
})

const Standing = z.object({ member: Member, tier: TierStanding, points: PointStanding })

export const readMember = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}',
  scope: 'members:read',
  tag: 'Members',
  summary: 'Read a member',
  description: 'The profile, the tier with its gaps, and the points with the next three expiries.',
  input: z.strictObject({ memberCode: MemberCode }),
  data: Standing,
  refusals: ['memberUnknown'],
})

/** The names of a member; a request has one of them. `mobile` also needs `countryCode`. */
const findBy = [
  'mobile',
  'cardNumber',
  'email',
  'memberCode',
  'uniCustomerNo',
  'couponCode',
] as const

/** By POST, because a path or a query would write contacts into the logs of proxies. */
export const findMember = integrationEndpoint({
  method: 'POST',
  path: '/members/find',
  scope: 'members:read',
  tag: 'Members',
  summary: 'Find a member',
  description:
    'Finds the member with this mobile number, card, e-mail address, member code, customer ' +
    'number or coupon code. Send exactly one of them; `mobile` also needs `countryCode`.',
  input: z
    .strictObject({
      countryCode: z.optional(CallingCode),
      mobile: z.optional(NationalNumber),
      cardNumber: z.optional(text(32)),
      email: z.optional(Email),
      memberCode: z.optional(MemberCode),
      uniCustomerNo: z.optional(text(64)),
      couponCode: z.optional(text(64)),
    })
    .check(
      z.refine((q) => findBy.filter((field) => q[field] !== undefined).length === 1, {
        error: 'exactlyOne',
        params: { reason: 'exactlyOne' },
      }),
      z.refine((q) => (q.mobile === undefined) === (q.countryCode === undefined), {
        error: 'required',
        path: ['countryCode'],
        params: { reason: 'required' },
      }),
    ),
  data: Standing,
  refusals: ['memberUnknown'],
})

export const listMembers = integrationEndpoint({
  method: 'GET',
  path: '/members',
  scope: 'members:read',
  tag: 'Members',
  summary: 'List members that changed',
  description:
    'Members in the order of their last change, oldest first: profile, terms and tier. A change ' +
    'is in the list ten seconds after it was made. A member that changes again moves to the end.',
  input: z.strictObject({
    /** Only members that changed at this time or later. */
    changedSince: z.optional(Instant),
    after: z.optional(text(1024)),
    limit: z._default(wholeNumber(1, maxPage), 20),
  }),
  data: z.object({
    items: z.array(z.object({ member: Member, changedAt: Instant })),
    next: z.nullable(z.string()),
  }),
  refusals: [],
})

export const registerMember = integrationEndpoint({
  method: 'POST',
  path: '/members/register',
  scope: 'members:write',
  tag: 'Members',
  summary: 'Register a member',
  description:
    "Registers one member in the store, by the rules of the company's register form. Tillside " +
    'assigns the member code and the card number. The system that calls has verified the contacts.',
  input: createCustomer.input,
  data: createCustomer.data,
  refusals: createCustomer.refusals,
  counter: { endpoint: createCustomer, shape: 'same' },
})

const { changes } = updateCustomer.input.shape

export const updateMember = integrationEndpoint({
  method: 'PATCH',
  path: '/members/{memberCode}',
  scope: 'members:write',
  tag: 'Members',
  summary: 'Change a member',
  description:
    "Changes the fields that the body names; null empties one. Send the member's `version`, or " +
    'its ETag in the header `If-Match`. A member that was changed since is refused with 412.',
  input: z.extend(changes, { memberCode: MemberCode, version: z.optional(z.int()) }),
  data: updateCustomer.data,
  refusals: updateCustomer.refusals,
  counter: { endpoint: updateCustomer, shape: 'changes' },
})

export const acceptTerms = integrationEndpoint({
  method: 'POST',
  path: '/members/{memberCode}/consents',
  scope: 'members:write',
  tag: 'Members',
  summary: 'Record a consent',
  description: 'The member accepts the current terms and answers about marketing.',
  input: resignTnc.input,
  data: resignTnc.data,
  refusals: resignTnc.refusals,
  counter: { endpoint: resignTnc, shape: 'same' },
})

export const readConsents = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/consents',
  scope: 'members:read',
  tag: 'Members',
  summary: 'List consents',
  description: 'All consents of the member, newest first.',
  input: listConsents.input,
  data: listConsents.data,
  refusals: listConsents.refusals,
  counter: { endpoint: listConsents, shape: 'same' },
})

export const readTier = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/tier',
  scope: 'members:read',
  tag: 'Members',
  summary: 'Explain a tier',
  description: 'The tier, the gaps to the next tier and to renewal, and the spend that counts.',
  input: explainTier.input,
  data: explainTier.data,
  refusals: explainTier.refusals,
  counter: { endpoint: explainTier, shape: 'same' },
})
