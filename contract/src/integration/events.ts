import * as z from 'zod/mini'
import { CalendarDay, Instant, Money, Points, text, wholeNumber } from '../wire/shapes.ts'
import { integrationEndpoint, maxPage } from './endpoint.ts'

// The events that a company's webhooks get, and the API for receivers that missed some.

const StoreCode = z.nullable(z.string())
const Invoice = z.nullable(z.string())
/** A coupon, and the coupon definition by its id and the company's own code. */
const coupon = { couponCode: z.string(), couponId: z.string(), unionCode: z.nullable(z.string()) }
const Tier = z.string()

/** The `data` of each event, besides `memberCode`, which every event has. */
export const eventData = {
  'member.created': z.strictObject({
    registrationDate: CalendarDay,
    registrationStore: StoreCode,
    marketingOptIn: z.boolean(),
  }),
  /** `fields`: the names of the changed fields; their values are not sent. */
  'member.changed': z.strictObject({ fields: z.array(z.string()) }),
  /** The member's own code, as it was; the receiver needs it to erase the member too. */
  'member.erased': z.strictObject({ memberCode: z.string() }),
  /** The member of the event has everything of the merged one, who no longer exists. */
  'member.merged': z.strictObject({ mergedMemberCode: z.string() }),
  'member.unmerged': z.strictObject({ mergedMemberCode: z.string() }),
  'consent.changed': z.strictObject({
    tncVersion: z.string(),
    marketingOptIn: z.boolean(),
    /** The language in which the customer read the terms. */
    language: z.string(),
  }),
  'points.changed': z.strictObject({
    entryId: z.string(),
    type: z.int(),
    points: Points,
    balance: Points,
    invoiceNumber: Invoice,
    at: Instant,
  }),
  'coupon.issued': z.strictObject({ ...coupon, startDate: CalendarDay, expiryDate: CalendarDay }),
  'coupon.redeemed': z.strictObject({ ...coupon, storeCode: z.string(), invoiceNumber: Invoice }),
  /** `return`: the sale that it was redeemed for was returned or cancelled. */
  'coupon.undone': z.strictObject({ ...coupon, cause: z.enum(['undo', 'return']) }),
  /** `cancel`: the points that paid for it were given back. */
  'coupon.voided': z.strictObject({ ...coupon, cause: z.enum(['command', 'cancel']) }),
  'coupon.expired': z.strictObject({ ...coupon, expiryDate: CalendarDay }),
  'tier.changed': z.strictObject({
    from: Tier,
    to: Tier,
    startDate: CalendarDay,
    expiryDate: z.nullable(CalendarDay),
  }),
  'transaction.recorded': z.strictObject({
    transactionId: z.string(),
    invoiceNumber: z.string(),
    source: z.int(),
    status: z.string(),
    invoiceType: z.string(),
    totalAmount: Money,
    netSpend: Money,
    occurredAt: Instant,
    /** Points earned, minus points taken back. */
    points: Points,
  }),
  /** A clerk has reached a limit. The event is about the member of the act that reached it. */
  'staff.alert': z.strictObject({
    account: z.string(),
    storeCode: z.string(),
    kind: z.string(),
    used: z.number(),
    limit: z.number(),
  }),
} as const

export type WebhookEvent = keyof typeof eventData
/** The events that a company's webhooks can subscribe to. */
export const webhookEvents = [
  'member.created',
  'member.changed',
  'member.erased',
  'member.merged',
  'member.unmerged',
  'consent.changed',
  'points.changed',
  'coupon.issued',
  'coupon.redeemed',
  'coupon.undone',
  'coupon.voided',
  'coupon.expired',
  'tier.changed',
  'transaction.recorded',
  'staff.alert',
] as const satisfies readonly WebhookEvent[]

/** The data of an event besides `memberCode`. */
export type EventData<E extends WebhookEvent> = z.input<(typeof eventData)[E]>

/** The account or the API key that acted. */
export const EventActor = z.union([
  z.object({ type: z.literal('staff'), account: z.string() }),
  z.object({ type: z.literal('key'), keyId: z.string() }),
])
export type EventActor = z.infer<typeof EventActor>

const envelope = z.object({
  /** Messages with the same id are the same event. */
  id: z.uuid(),
  /** The order of the events of one member. */
  sequence: z.int(),
  at: Instant,
  /** The code of the store where it happened; null: in none. */
  store: z.nullable(z.string()),
  /** Null: a command or a background job. */
  actor: z.nullable(EventActor),
})

/** An event as a webhook and the events API send it, of any release: its data is not checked. */
export const SentEvent = z.extend(envelope, {
  event: z.string(),
  data: z.looseObject({ memberCode: z.string() }),
})
export type SentEvent = z.infer<typeof SentEvent>

function eventOf<E extends WebhookEvent>(event: E) {
  return z.extend(envelope, {
    event: z.literal(event),
    data: z.extend(eventData[event], { memberCode: z.string() }),
  })
}

/** Each event, by the name of its type in generated clients. */
export const eventTypes = {
  MemberCreatedEvent: eventOf('member.created'),
  MemberChangedEvent: eventOf('member.changed'),
  MemberErasedEvent: eventOf('member.erased'),
  MemberMergedEvent: eventOf('member.merged'),
  MemberUnmergedEvent: eventOf('member.unmerged'),
  ConsentChangedEvent: eventOf('consent.changed'),
  PointsChangedEvent: eventOf('points.changed'),
  CouponIssuedEvent: eventOf('coupon.issued'),
  CouponRedeemedEvent: eventOf('coupon.redeemed'),
  CouponUndoneEvent: eventOf('coupon.undone'),
  CouponVoidedEvent: eventOf('coupon.voided'),
  CouponExpiredEvent: eventOf('coupon.expired'),
  TierChangedEvent: eventOf('tier.changed'),
  TransactionRecordedEvent: eventOf('transaction.recorded'),
  StaffAlertEvent: eventOf('staff.alert'),
}

const { MemberCreatedEvent, ...otherTypes } = eventTypes
/** An event of this release, with its data. */
export const Event = z.discriminatedUnion('event', [
  MemberCreatedEvent,
  ...Object.values(otherTypes),
])

/** A page of events. */
function pageOf<T extends z.ZodMiniType>(event: T) {
  return z.object({
    items: z.array(event),
    /** Null on the last page. */
    next: z.nullable(z.string()),
    /** The place to continue after later; null while there has been no event. */
    resumeAfter: z.nullable(z.string()),
  })
}

export const readEvents = integrationEndpoint({
  method: 'GET',
  path: '/events',
  scope: 'events:read',
  tag: 'Events',
  summary: 'List events',
  description:
    'The events of the last 30 days to which a webhook of the company subscribes, oldest first, ' +
    'for a receiver that missed some. The key must be valid for every store.',
  input: z.strictObject({
    /** `next` or `resumeAfter` of an earlier page, by the same key. */
    after: z.optional(text(1024)),
    /** Only events of this time or later. */
    since: z.optional(Instant),
    limit: z._default(wholeNumber(1, maxPage), 20),
  }),
  data: pageOf(SentEvent),
  documented: pageOf(Event),
  refusals: [],
})
