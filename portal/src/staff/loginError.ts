import { failures } from '@tillside/contract/wire/failures'
import { HttpFailure, Refusal, refusalData } from '../kit/call/failure.ts'

/** An error of the login, with the field where the clerk can correct it. */
export type LoginError =
  | { at: 'account'; why: 'required' | 'unknown' | 'refused'; message?: string }
  | { at: 'password'; why: 'required' | 'wrong' | 'refused'; message?: string }
  | { at: 'form'; why: 'storeInactive' | 'noAnswer' }
  | { at: 'form'; why: 'tooManyAttempts'; seconds: number }
  | { at: 'form'; why: 'other'; message: string }
  | { at: 'company' }

/** Maps an error to its field. */
export function loginErrorOf(error: unknown): LoginError {
  const wait = refusalData(error, failures.tooManyAttempts)
  if (wait !== null) return { at: 'form', why: 'tooManyAttempts', seconds: wait.retryAfter }
  const invalid = refusalData(error, failures.invalid)
  if (invalid !== null) return invalidErrorOf(invalid.fields)
  if (error instanceof HttpFailure) return { at: 'form', why: 'other', message: error.message }
  if (!(error instanceof Refusal)) return { at: 'form', why: 'noAnswer' }
  return refusalErrorOf(error)
}

function refusalErrorOf({ code, message }: Refusal): LoginError {
  switch (code) {
    case failures.accountUnknown.code:
      return { at: 'account', why: 'unknown' }
    case failures.passwordWrong.code:
      return { at: 'password', why: 'wrong' }
    case failures.storeInactive.code:
      return { at: 'form', why: 'storeInactive' }
    case failures.identifierUnknown.code:
      return { at: 'company' }
    default:
      return { at: 'form', why: 'other', message }
  }
}

function invalidErrorOf(fields: { path: string; message: string }[]): LoginError {
  const [first] = fields
  const message = first?.message ?? ''
  if (first?.path === 'account') return { at: 'account', why: 'refused', message }
  if (first?.path === 'password') return { at: 'password', why: 'refused', message }
  return { at: 'form', why: 'other', message }
}
