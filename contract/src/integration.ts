import { callingCodePattern, emailPattern, nationalNumberPattern } from './rules/contact.ts'
import * as z from 'zod/mini'
import { genders, pointTypes } from './wire/codes.ts'
import { type FailureName, fieldReasons } from './wire/failures.ts'
import { Language } from './wire/language.ts'
import { Member, PointStanding } from './member.ts'
import { Receipt } from './receipt.ts'
import { CalendarDay, Instant, MemberCode, Points, text } from './wire/shapes.ts'
import { TierStanding } from './tier.ts'

// What tills, web shops and other systems of a company say to the server. Nobody at the counter
// stands behind these calls: each comes with an API key.

export const integrationBase = '/integration/v1'

/** What an API key may be allowed. */
export const scopes = [
  'transactions:write',
  'members:write',
  'members:read',
  'points:write',
] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/**
 * A call of the integration interface. `item`: what each of the input's `items` is; they are looked
 * at one by one, so that a wrong one keeps none of the others out.
 */
export type IntegrationEndpoint = {
  method: 'GET' | 'POST'
  /** `{name}` is a part of the input that travels in the path. */
  path: string
  scope: Scope
  input: z.ZodMiniType
  item?: z.ZodMiniType
  data: z.ZodMiniType
  refusals: readonly FailureName[]
}

/** Of one POST: many receipts with many lines. */
export const integrationBodyLimitBytes = 8 * 1024 * 1024
const most = 500

function integrationEndpoint<const E extends IntegrationEndpoint>(e: E): E {
  return e
}

const Batch = z.strictObject({
  items: z.array(z.unknown()).check(z.minLength(1), z.maxLength(most)),
})

/** Why an item was refused, besides `invalid`, which names its fields. */
export const itemReasons = [
  /** It is there already, with another content. */
  'changed',
  'memberUnknown',
  'originalUnknown',
  'originalOtherMember',
  'originalReturned',
  'storeUnknown',
  /** The key may not speak for this store. */
  'storeNotAllowed',
  /** The value belongs to another member. */
  'taken',
  /** The member asked to be forgotten; nobody is made anew by that code. */
  'erased',
  /** The company has no such field. */
  'fieldUnknown',
  /**
   * The value does not fit the company's field, or an address no region that the dictionary has.
   */
  'fieldInvalid',
  'pointsAboveBalance',
  /** Our fault; nothing of the item was done, and it may be sent again. */
  'internal',
] as const
export type ItemReason = (typeof itemReasons)[number]

const RefusedItem = z.object({
  index: z.int(),
  outcome: z.literal('refused'),
  reason: z.enum(['invalid', ...itemReasons]),
  message: z.string(),
  /** Which fields of the item are wrong, and why. */
  fields: z.array(
    z.object({
      path: z.string(),
      reason: z.enum([...fieldReasons, ...itemReasons]),
      message: z.string(),
    }),
  ),
})
export type RefusedItem = z.infer<typeof RefusedItem>

/** The answers stand in the order of the items. `unchanged`: it was there already, as sent. */
function answers<T extends z.core.$ZodShape>(more: T) {
  const Done = z.object({ index: z.int(), outcome: z.enum(['created', 'unchanged']), ...more })
  return z.object({
    items: z.array(z.union([Done, RefusedItem])),
    created: z.int(),
    unchanged: z.int(),
    refused: z.int(),
  })
}

/** Sales, returns, exchanges, deposits; the same invoice of the same source is the same receipt. */
export const postTransactions = integrationEndpoint({
  method: 'POST',
  path: '/transactions',
  scope: 'transactions:write',
  input: Batch,
  item: Receipt,
  data: answers({
    /**
     * What the member got by it, or lost where it is below zero; null when it was there already.
     */
    points: z.nullable(Points),
  }),
  refusals: [],
})

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
    firstName: text(120),
    lastName: z._default(z.union([z.literal(''), text(120)]), ''),
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
    /** The terms that were agreed to; null: none yet. */
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
  input: Batch,
  item: NewMemberItem,
  data: answers({ memberCode: z.string() }),
  refusals: [],
})

/** What moves points without a sale or a redemption, by the names of the point types. */
export const movementTypes = [
  'adjustmentUp',
  'adjustmentDown',
  'specialAdd',
  'specialDeduct',
  'transferIn',
  'transferOut',
] as const satisfies readonly (keyof typeof pointTypes)[]

export const PointMovement = z.strictObject({
  /** The caller's own name for it: the same one again is the same movement. */
  operationId: text(64),
  memberCode: MemberCode,
  type: z.enum(movementTypes),
  /** How many, above 0; the type says whether they come or go. */
  points: z.int().check(z.minimum(1), z.maximum(1_000_000_000)),
  /** The history shows it. */
  reason: text(200),
  storeCode: optional(text(32)),
  invoiceNumber: optional(text(64)),
})
export type PointMovement = z.infer<typeof PointMovement>

export const postPoints = integrationEndpoint({
  method: 'POST',
  path: '/points',
  scope: 'points:write',
  input: Batch,
  item: PointMovement,
  data: answers({ entryId: z.string(), balance: Points }),
  refusals: [],
})

export const readMember = integrationEndpoint({
  method: 'GET',
  path: '/members/{code}',
  scope: 'members:read',
  input: z.strictObject({ code: MemberCode }),
  data: z.object({
    member: Member,
    tier: TierStanding,
    points: PointStanding,
  }),
  refusals: ['memberUnknown'],
})

/** The whole interface; served below `integrationBase` and described with the rest of the wire. */
export const integrationEndpoints = { postTransactions, postMembers, postPoints, readMember }

/** What a company's other systems can ask to be told. */
export const webhookEvents = [
  'member.created',
  'points.changed',
  'coupon.redeemed',
  'tier.changed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
