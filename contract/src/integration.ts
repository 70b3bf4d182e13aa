import { callingCodePattern, emailPattern, nationalNumberPattern } from './rules/contact.ts'
import * as z from 'zod/mini'
import { genders, pointTypes } from './wire/codes.ts'
import { type FailureName, fieldReasons } from './wire/failures.ts'
import { Language } from './wire/language.ts'
import { Member, PointStanding } from './member.ts'
import { Receipt } from './receipt.ts'
import { PointReport, ReportInput } from './report.ts'
import { CalendarDay, Instant, MemberCode, Money, Points, name, text } from './wire/shapes.ts'
import { TierStanding } from './tier.ts'

// The API for a company's tills, web shops and other systems. There is no session: each call
// authenticates with an API key.

export const integrationBase = '/integration/v1'

/** The scopes that an API key may have. */
export const scopes = [
  'transactions:write',
  'members:write',
  'members:read',
  'points:write',
  'reports:read',
] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/**
 * An endpoint of the integration API. `item` is the schema of each of the input's `items`, which
 * are validated one by one, so that a wrong item does not affect the others.
 */
export type IntegrationEndpoint = {
  method: 'GET' | 'POST'
  /** `{name}` is an input in the path. */
  path: string
  scope: Scope
  input: z.ZodMiniType
  item?: z.ZodMiniType
  data: z.ZodMiniType
  refusals: readonly FailureName[]
}

/** The limit of one POST body: many receipts with many items. */
export const integrationBodyLimitBytes = 8 * 1024 * 1024
const maxItems = 500

function integrationEndpoint<const E extends IntegrationEndpoint>(e: E): E {
  return e
}

const Batch = z.strictObject({
  items: z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxItems)),
})

/** The reasons why an item is refused, in addition to `invalid`, which names its fields. */
export const itemReasons = [
  /** It exists already, with different content. */
  'changed',
  'memberUnknown',
  'originalUnknown',
  'originalOtherMember',
  'originalReturned',
  /** The receipt's year is before 1970 or after 9998. */
  'dateImpossible',
  /** The receipt is from more than 24 hours ahead. */
  'dateAhead',
  /** The receipt is from before `receipts.acceptSalesSince` of the company. */
  'dateTooEarly',
  /** An amount, or its points, cannot be added up with others. */
  'amountTooLarge',
  'saleNegative',
  'spendAboveTotal',
  /** The lines differ from the total by more than `receipts.lineTolerance` of the company. */
  'linesNotTotal',
  'storeUnknown',
  /** The API key is not allowed to act for this store. */
  'storeNotAllowed',
  /** The value belongs to another member. */
  'taken',
  /** The member with this code was erased and is not created again. */
  'erased',
  /** The company does not have this field. */
  'fieldUnknown',
  /** The value does not match the company's field, or the address has an unknown region. */
  'fieldInvalid',
  'pointsAboveBalance',
  /** A server error; nothing of the item was stored, and it may be sent again. */
  'internal',
] as const
export type ItemReason = (typeof itemReasons)[number]

const RefusedItem = z.object({
  index: z.int(),
  outcome: z.literal('refused'),
  reason: z.enum(['invalid', ...itemReasons]),
  message: z.string(),
  /** The invalid fields of the item, with reasons. */
  fields: z.array(
    z.object({
      path: z.string(),
      reason: z.enum([...fieldReasons, ...itemReasons]),
      message: z.string(),
    }),
  ),
})
export type RefusedItem = z.infer<typeof RefusedItem>

/**
 * The answers are in the order of the items. `unchanged`: the item exists already, with the same
 * content.
 */
function answers<T extends z.core.$ZodShape>(more: T) {
  const Done = z.object({ index: z.int(), outcome: z.enum(['created', 'unchanged']), ...more })
  return z.object({
    items: z.array(z.union([Done, RefusedItem])),
    created: z.int(),
    unchanged: z.int(),
    refused: z.int(),
  })
}

/**
 * Stores sales, returns, exchanges and deposits. The invoice number together with the source
 * identifies a receipt. Amounts have the decimals of the company's currency; the schema shows two.
 */
export const postTransactions = integrationEndpoint({
  method: 'POST',
  path: '/transactions',
  scope: 'transactions:write',
  input: Batch,
  item: Receipt,
  data: answers({
    /**
     * Points that the member earned, or lost if negative; null when the receipt existed already.
     */
    points: z.nullable(Points),
    /** Only for a return or an exchange that was created. */
    returned: z.optional(
      z.object({
        /** Points that had paid for the goods and came back to the member. */
        pointsBack: Points,
        /** Points that the return should have taken and that the member no longer had. */
        forgiven: Points,
        /** The money to pay to the customer. */
        moneyBack: Money,
      }),
    ),
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
  input: Batch,
  item: NewMemberItem,
  data: answers({ memberCode: z.string() }),
  refusals: [],
})

/** Movements of points other than sales and redemptions, by the names of the point types. */
export const movementTypes = [
  'adjustmentUp',
  'adjustmentDown',
  'specialAdd',
  'specialDeduct',
  'transferIn',
  'transferOut',
] as const satisfies readonly (keyof typeof pointTypes)[]

export const PointMovement = z.strictObject({
  /** The caller's own id; a repeated one is the same movement. */
  operationId: text(64),
  memberCode: MemberCode,
  type: z.enum(movementTypes),
  /** The number of points, above 0. The type decides whether they are added or deducted. */
  points: z.int().check(z.minimum(1), z.maximum(1_000_000_000)),
  /** Shown in the history. */
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

/**
 * The books of the company's points for some days. A key that is limited to stores is refused: a
 * balance belongs to a member, not to a store.
 */
export const readPointReport = integrationEndpoint({
  method: 'GET',
  path: '/points/report',
  scope: 'reports:read',
  input: ReportInput,
  data: PointReport,
  refusals: [],
})

/**
 * All endpoints of the integration API, served below `integrationBase` and described in the OpenAPI
 * document.
 */
export const integrationEndpoints = {
  postTransactions,
  postMembers,
  postPoints,
  readMember,
  readPointReport,
}

/** The events that a company's webhooks can subscribe to. */
export const webhookEvents = [
  'member.created',
  'points.changed',
  'coupon.redeemed',
  'tier.changed',
  'staff.alert',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
