import { NewPassword } from '@tillside/contract/auth'
import { failures } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import { HttpFailure, Refusal, refusalData } from '../../kit/call/failure.ts'

/** The input of the form that changes the password. */
export type TypedPasswords = { origin: string; next: string; again: string }

/** The errors by field; all three fields may have one. */
export type PasswordErrors = {
  origin?: 'required' | 'wrong' | undefined
  next?: 'required' | 'format' | 'common' | undefined
  again?: 'required' | 'mismatch' | undefined
  form?: { why: 'noAnswer' } | { why: 'wait'; seconds: number } | { why: 'other'; message: string }
}

/** The checks that the portal can make itself (specification, section 5). */
export function validatePasswords({ origin, next, again }: TypedPasswords): PasswordErrors {
  const errors: PasswordErrors = {}
  if (origin === '') errors.origin = 'required'
  if (next === '') errors.next = 'required'
  else if (!z.safeParse(NewPassword, next).success) errors.next = 'format'
  if (again === '') errors.again = 'required'
  else if (again !== next) errors.again = 'mismatch'
  return errors
}

/** Maps the server's refusal to its field (specification, section 8). */
export function passwordErrorsOf(error: unknown): PasswordErrors {
  const wait = refusalData(error, failures.tooManyAttempts)
  if (wait !== null) return { form: { why: 'wait', seconds: wait.retryAfter } }
  if (error instanceof HttpFailure) return { form: { why: 'other', message: error.message } }
  if (!(error instanceof Refusal)) return { form: { why: 'noAnswer' } }
  if (error.code === failures.passwordWrong.code) return { origin: 'wrong' }
  if (error.code !== failures.invalid.code) {
    return { form: { why: 'other', message: error.message } }
  }
  const fields = refusalData(error, failures.invalid)?.fields ?? []
  const isRepeated = fields.length > 0 && fields.every(({ path }) => path === 'confirm_password')
  if (isRepeated) return { again: 'mismatch' }
  const isCommon = fields.some(({ reason }) => reason === 'commonPassword')
  return { next: isCommon ? 'common' : 'format' }
}
