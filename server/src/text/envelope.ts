import { Envelope } from '@tillside/contract/wire/endpoint'
import { failures, httpFailures } from '@tillside/contract/wire/failures'
import type { Language } from '@tillside/contract/wire/language'
import type * as z from 'zod/mini'
import type { HttpRefusal, Refusal } from './fail.ts'
import { httpFailureTexts, successTexts } from './answer-texts.ts'
import { failureTexts } from './failure-texts.ts'

const successes: Partial<Record<string, keyof typeof successTexts>> = {
  '/auth/changePassword': 'changePassword',
  '/connector/coupon/redeem': 'redeemCoupon',
  '/connector/coupon/batchRedeem': 'redeemCoupon',
  '/connector/coupon/issue': 'issueCoupon',
  '/connector/coupon/issueByPoints': 'issueCoupon',
}

/**
 * The answer to a successful call. The data is parsed by the endpoint's own schema: an answer that
 * does not match the contract is our bug and becomes a 500.
 */
export function succeeded<E extends { path: string; data: z.ZodMiniType }>(
  endpoint: E,
  data: z.output<E['data']>,
  language: Language,
): Envelope {
  const text = successTexts[successes[endpoint.path] ?? 'other']
  return { code: 0, message: text[language], data: endpoint.data.parse(data) }
}

/** A business refusal, sent with HTTP status 200. */
export function failed(refusal: Refusal, language: Language): Envelope {
  return {
    code: failures[refusal.failure].code,
    message: withLimit(failureTexts[refusal.failure][language], refusal.data),
    data: refusal.data,
  }
}

/** Inserts the limit that was exceeded into the text. */
function withLimit(text: string, data: unknown): string {
  if (typeof data !== 'object' || data === null || !('limit' in data)) return text
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
