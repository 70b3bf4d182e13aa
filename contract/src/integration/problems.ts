import * as z from 'zod/mini'
import type { FailureName, HttpFailureName } from '../wire/failures.ts'

// A refusal of the integration API is an HTTP status with `application/problem+json` (RFC 9457).

/** Refusals that only the integration API has, with their HTTP status. */
export const keyProblems = {
  /** The body is not JSON. */
  malformed: 400,
  /** `Idempotency-Key` is missing, longer than 255 characters or not visible ASCII. */
  keyRequired: 400,
  /** The key is valid for several stores, and the request names none. */
  storeRequired: 400,
  storeUnknown: 403,
  storeNotAllowed: 403,
  storeClosed: 403,
  /** The call is only for test keys. */
  liveKey: 403,
  /** The first request with this Idempotency-Key is not finished. */
  keyRunning: 409,
  tooManyRequests: 429,
} as const
export type KeyProblemName = keyof typeof keyProblems

/** The HTTP status of each refusal that the counter has too. */
export const problemStatus = {
  invalid: 422,
  noPermission: 403,
  memberUnknown: 404,
  contactTaken: 409,
  memberChanged: 412,
  captchaWrong: 422,
  captchaMissing: 422,
  captchaTooOften: 429,
  couponUnknown: 404,
  couponUsed: 409,
  couponExpired: 409,
  couponNotStarted: 409,
  couponOtherStore: 409,
  couponOtherMember: 409,
  couponOutOfStock: 409,
  couponLimit: 409,
  couponCost: 409,
  couponsRefused: 409,
  pointsNotConfigured: 409,
  pointsBelowMinimum: 422,
  pointsAboveMaximum: 422,
  pointsNotMultiple: 422,
  pointsAboveBalance: 409,
  pointsAboveShare: 422,
  giftUnknown: 404,
  giftOutOfStock: 409,
  giftLimit: 409,
  balanceChanged: 409,
  notCancellable: 409,
  transactionUnknown: 404,
  keyReused: 422,
  allowanceUsedUp: 429,
  lookUpChallenge: 429,
  nameTooShort: 422,
  nameNotSearchable: 422,
  accountUnknown: 404,
  storeInactive: 403,
  passwordWrong: 403,
  linkInvalid: 403,
  tooManyAttempts: 429,
  identifierUnknown: 404,
  languageUnsupported: 422,
} as const satisfies Record<FailureName, number>

export type ProblemName = FailureName | HttpFailureName | KeyProblemName

/** The body of every refusal. */
export const Problem = z.object({
  /** The address of a description of this kind of problem. */
  type: z.string(),
  title: z.string(),
  /** The HTTP status. */
  status: z.int(),
  /** The reason, in the language of the request. */
  detail: z.string(),
  /** The name of the problem, for programs. */
  code: z.string(),
  requestId: z.string(),
  /** The fields that are wrong. */
  errors: z.optional(z.array(z.object({ path: z.string(), code: z.string(), detail: z.string() }))),
  /** More about the problem, such as the limit that was exceeded. */
  data: z.optional(z.unknown()),
})
export type Problem = z.infer<typeof Problem>

/** The address of the description of a problem. */
export function problemPath(name: string): string {
  return `/problems/${name}`
}
