import { integrationBase } from '@tillside/contract/integration/endpoint'
import {
  keyProblems,
  type Problem,
  type ProblemName,
  problemPath,
  problemStatus,
} from '@tillside/contract/integration/problems'
import type { Envelope } from '@tillside/contract/wire/endpoint'
import {
  type FailureName,
  failures,
  fieldReasons,
  httpFailures,
} from '@tillside/contract/wire/failures'
import { defaultLanguage, type Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { httpFailureTexts, keyOwnTexts, keyProblemTexts } from '../../text/answer-texts.ts'
import { failureTexts } from '../../text/failure-texts.ts'
import { type HttpRefusal, KeyRefusal } from '../../text/fail.ts'

const names = new Map<number, FailureName>(
  // `Object.keys` knows the names only as text.
  Object.entries(failures).flatMap(([name, { code }]) =>
    isFailure(name) ? [[code, name] as const] : [],
  ),
)
const InvalidData = z.object({
  fields: z.array(
    z.object({ path: z.string(), reason: z.enum(fieldReasons), message: z.string() }),
  ),
})

function isFailure(name: string): name is FailureName {
  return name in failures
}

/** The HTTP status of every problem. */
export const statusOfProblem: Record<ProblemName, number> = {
  ...problemStatus,
  ...httpFailures,
  ...keyProblems,
}

/** A problem and its number for the log: the counter's code, or the HTTP status. */
export type LoggedProblem = { problem: Problem; answerCode: number }

/**
 * The problem of a refusal by a verb.
 * @param envelope a refusal of the counter's kind; its code is not 0
 */
export function problemOfEnvelope(
  envelope: Envelope,
  language: Language,
  requestId: string,
): LoggedProblem {
  const name = names.get(envelope.code)
  if (name === undefined) throw new Error(`no refusal has the code ${envelope.code}`)
  const detail = name === 'noPermission' ? keyOwnTexts[name][language] : envelope.message
  const problem = problemOf(name, detail, requestId)
  const invalid = name === 'invalid' ? InvalidData.safeParse(envelope.data) : null
  if (invalid?.success === true) {
    const errors = invalid.data.fields.map(({ path, reason, message }) => ({
      path,
      code: reason,
      detail: message,
    }))
    return { problem: { ...problem, errors }, answerCode: envelope.code }
  }
  const more = envelope.data === null ? {} : { data: envelope.data }
  return { problem: { ...problem, ...more }, answerCode: envelope.code }
}

/** The problem of a refusal with a status of its own. */
export function problemOfRefusal(
  refusal: HttpRefusal | KeyRefusal,
  language: Language,
  requestId: string,
): LoggedProblem {
  if (refusal instanceof KeyRefusal) {
    const problem = problemOf(
      refusal.failure,
      keyProblemTexts[refusal.failure][language],
      requestId,
    )
    return { problem, answerCode: problem.status }
  }
  const { failure } = refusal
  const text = failure === 'unauthorized' ? keyOwnTexts[failure] : httpFailureTexts[failure]
  const problem = problemOf(failure, text[language], requestId)
  const more = refusal.unchanged ? { data: { unchanged: true } } : {}
  return { problem: { ...problem, ...more }, answerCode: problem.status }
}

function problemOf(code: ProblemName, detail: string, requestId: string): Problem {
  return {
    type: integrationBase + problemPath(code),
    title: titleOf(code),
    status: statusOfProblem[code],
    detail,
    code,
    requestId,
  }
}

export function isProblem(name: string): name is ProblemName {
  return Object.hasOwn(statusOfProblem, name)
}

/** The document at the address of a problem's `type`. */
export function describeProblem(code: ProblemName): Omit<Problem, 'requestId'> {
  const texts = { ...failureTexts, ...httpFailureTexts, ...keyProblemTexts, ...keyOwnTexts }
  const { requestId: _requestId, ...problem } = problemOf(code, texts[code][defaultLanguage], '')
  return problem
}

/** `couponUsed` → `Coupon used`: the same in every language, as RFC 9457 asks. */
function titleOf(code: string): string {
  const words = code.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
