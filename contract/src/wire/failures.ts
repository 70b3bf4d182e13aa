import * as z from 'zod/mini'
import { fact } from './facts.ts'

const secondsLeft = z.object({ retryAfter: z.int() })
const nothing = z.null()
/** The limit that was exceeded; the text contains it too. */
const bound = z.object({ limit: z.int() })
const balance = z.object({ limit: fact('points', z.int()) })

/** The reasons for refusing a value; the answer also has a text in the caller's language. */
export const fieldReasons = [
  'required',
  'wrongType',
  'tooShort',
  /** Fewer selections than the company's minimum. */
  'tooFew',
  'tooLong',
  'tooSmall',
  'tooLarge',
  'format',
  'notAllowed',
  'unknownField',
  'exactlyOne',
  'text',
  /** A day after today. */
  'future',
  /** Younger than the company's minimum age. */
  'tooYoung',
  /** Replaced meanwhile, such as by newer terms. */
  'outdated',
  'newPassword',
  /** On the list of common passwords, or made of names that an attacker tries first. */
  'commonPassword',
  'passwordsDiffer',
] as const
export type FieldReason = (typeof fieldReasons)[number]

const invalidFields = z.object({
  fields: z.array(
    z.object({ path: z.string(), reason: z.enum(fieldReasons), message: z.string() }),
  ),
})

/**
 * The value that a clerk gives away and the company limits for each day. `pointsSpent` counts
 * points, the others count coupons or acts. `couponsIssued`: free ones; coupons for points are a
 * point redemption. `undone`: redemptions of coupons and points that were undone.
 */
export const givenKinds = [
  'couponsRedeemed',
  'couponsIssued',
  'pointRedemptions',
  'pointsSpent',
  'undone',
] as const
export const GivenKind = z.enum(givenKinds)
export type GivenKind = z.infer<typeof GivenKind>

/**
 * Every business refusal, with its code and the schema of its `data`. It is sent with HTTP status
 * 200; the server has the texts.
 */
export const failures = {
  invalid: { code: 422, data: invalidFields },
  noPermission: { code: 10000, data: nothing },
  accountUnknown: { code: 103001, data: nothing },
  storeInactive: { code: 103002, data: nothing },
  passwordWrong: { code: 103003, data: nothing },
  /** An unknown, used or expired access link. */
  linkInvalid: { code: 103004, data: nothing },
  tooManyAttempts: { code: 103005, data: secondsLeft },
  identifierUnknown: { code: 104001, data: nothing },
  languageUnsupported: { code: 105001, data: nothing },
  memberUnknown: { code: 111102, data: nothing },
  contactTaken: {
    code: 111103,
    data: z.object({ field: z.enum(['mobile', 'email', 'cardNumber']) }),
  },
  memberChanged: { code: 111104, data: nothing },
  /** The clerk has seen this many different members in so many minutes: `confirmPassword` first. */
  lookUpChallenge: { code: 111105, data: z.object({ members: z.int(), minutes: z.int() }) },
  /** Fewer than two letters or characters, without spaces and punctuation. */
  nameTooShort: { code: 111106, data: nothing },
  /** Longer than any name, or with a wildcard. */
  nameNotSearchable: { code: 111107, data: nothing },
  captchaWrong: { code: 112001, data: z.object({ attemptsLeft: z.int() }) },
  /** No code was sent, or it has expired or was used; `field` is the unverified contact. */
  captchaMissing: { code: 112002, data: z.object({ field: z.enum(['mobile', 'email']) }) },
  captchaTooOften: { code: 112003, data: secondsLeft },
  couponUnknown: { code: 113001, data: nothing },
  couponUsed: { code: 113002, data: nothing },
  couponExpired: { code: 113003, data: nothing },
  couponNotStarted: { code: 113004, data: nothing },
  couponOtherStore: { code: 113005, data: nothing },
  couponOtherMember: { code: 113006, data: nothing },
  couponOutOfStock: { code: 113007, data: nothing },
  couponLimit: { code: 113008, data: nothing },
  couponCost: { code: 113009, data: nothing },
  couponsRefused: {
    code: 113010,
    data: z.object({
      items: z.array(z.object({ couponCode: z.string(), reason: z.string(), message: z.string() })),
    }),
  },
  pointsNotConfigured: { code: 114001, data: nothing },
  pointsBelowMinimum: { code: 114002, data: bound },
  pointsAboveMaximum: { code: 114003, data: bound },
  pointsNotMultiple: { code: 114004, data: bound },
  pointsAboveBalance: { code: 114005, data: balance },
  pointsAboveShare: { code: 114006, data: bound },
  giftUnknown: { code: 114007, data: nothing },
  giftOutOfStock: { code: 114008, data: nothing },
  giftLimit: { code: 114009, data: nothing },
  balanceChanged: { code: 114010, data: nothing },
  notCancellable: { code: 114011, data: nothing },
  transactionUnknown: { code: 115001, data: nothing },
  keyReused: { code: 116001, data: nothing },
  /** This clerk has given away as much of this kind today as the company allows. */
  allowanceUsedUp: { code: 117001, data: z.object({ kind: GivenKind, limit: z.int() }) },
} as const
export type FailureName = keyof typeof failures
export type FailureData<N extends FailureName> = z.infer<(typeof failures)[N]['data']>

/** Refusals sent with an HTTP status other than 200, which is also their `code`. */
export const httpFailures = {
  unauthorized: 401,
  notFound: 404,
  methodNotAllowed: 405,
  tooLarge: 413,
  unsupportedMediaType: 415,
  internal: 500,
  unavailable: 503,
} as const
export type HttpFailureName = keyof typeof httpFailures

/**
 * The data of these refusals. `unchanged`: this call has certainly changed nothing and may be sent
 * again with the same idempotency key. Without it the outcome is unknown.
 */
export const HttpFailureData = z.object({
  requestId: z.string(),
  unchanged: z.optional(z.literal(true)),
})

/** Every endpoint may answer with these without declaring them. */
export const implicitFailures = ['invalid', 'noPermission', 'keyReused'] as const
export type ImplicitFailure = (typeof implicitFailures)[number]
