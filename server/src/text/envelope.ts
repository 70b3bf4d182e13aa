import { type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { type FailureName, failures, httpFailures } from '@tillside/contract/wire/failures'
import type { Language } from '@tillside/contract/wire/language'
import type { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import type { HttpRefusal, Refusal } from './fail.ts'
import { httpFailureTexts, successTexts } from './answer-texts.ts'
import { failureTexts, withoutLimitTexts } from './failure-texts.ts'
import { compiled } from '../values/compiled.ts'
import { withhold } from './withhold.ts'

const successes: Partial<Record<string, keyof typeof successTexts>> = {
  '/auth/changePassword': 'changePassword',
  '/connector/coupon/redeem': 'redeemCoupon',
  '/connector/coupon/batchRedeem': 'redeemCoupon',
  '/connector/coupon/issue': 'issueCoupon',
  '/connector/coupon/issueByPoints': 'issueCoupon',
}

/**
 * The answer to a successful call, without the facts that the caller may not see. The data is
 * parsed by the endpoint's own schema: an answer that does not match the contract is our bug and
 * becomes a 500.
 */
export function succeeded<E extends { path: string; data: z.ZodMiniType }>(
  endpoint: E,
  data: z.output<E['data']>,
  language: Language,
  permissions: ReadonlySet<Permission>,
): Envelope {
  const permitted = withhold(endpoint.data, data, permissions)
  const message = successText(endpoint.path, language)
  return { code: 0, message, data: z.parse(parserOf(endpoint.data), permitted) }
}

const parsers = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

function parserOf(schema: z.core.$ZodType): z.core.$ZodType {
  const parser = parsers.get(schema) ?? compiled(schema)
  parsers.set(schema, parser)
  return parser
}

/** The message of a successful call. */
export function successText(path: string, language: Language): string {
  return successTexts[successes[path] ?? 'other'][language]
}

/**
 * A stored answer for a caller whose permissions may have changed since: without the facts that
 * they do not allow now, and otherwise byte for byte the first answer.
 */
export function answeredAgain(
  endpoint: Pick<Endpoint, 'data' | 'refusals'>,
  stored: Envelope,
  language: Language,
  permissions: ReadonlySet<Permission>,
): Envelope {
  if (stored.code === 0) {
    return {
      ...stored,
      data: ordered(endpoint.data, withhold(endpoint.data, stored.data, permissions)),
    }
  }
  const name = endpoint.refusals.find((refusal) => failures[refusal].code === stored.code)
  if (name === undefined) return stored
  const data = ordered(failures[name].data, withhold(failures[name].data, stored.data, permissions))
  const isLess = JSON.stringify(data) !== JSON.stringify(ordered(failures[name].data, stored.data))
  const message = isLess ? messageOf(name, data, language) : stored.message
  return { ...stored, data, message }
}

/**
 * A value from `jsonb`, which sorts the fields of an object, with its fields in the order of the
 * schema. A value of an older release that the schema does not allow stays as it is.
 */
function ordered(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = z.core.safeParse(parserOf(schema), value)
  return parsed.success ? parsed.data : value
}

/** A business refusal, sent with HTTP status 200. */
export function failed(refusal: Refusal, language: Language): Envelope {
  return {
    code: failures[refusal.failure].code,
    message: messageOf(refusal.failure, refusal.data, language),
    data: refusal.data,
  }
}

/** The refusal's text with the limit that was exceeded, unless the caller may not see the limit. */
function messageOf(failure: FailureName, data: unknown, language: Language): string {
  const text = failureTexts[failure][language]
  if (typeof data !== 'object' || data === null || !('limit' in data)) return text
  if (data.limit === null) return withoutLimitTexts[failure]?.[language] ?? text
  return text.replace('{limit}', Number(data.limit).toLocaleString('en-US'))
}

/** A refusal as an HTTP status; its `code` is that status. */
export function httpFailed(refusal: HttpRefusal, language: Language, requestId: string): Envelope {
  return {
    code: httpFailures[refusal.failure],
    message: httpFailureTexts[refusal.failure][language],
    data: refusal.unchanged ? { requestId, unchanged: true } : { requestId },
  }
}
