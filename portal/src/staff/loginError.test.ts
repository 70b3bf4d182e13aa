import { expect, test } from 'vitest'
import { HttpFailure, NoAnswer, Refusal } from '../kit/call/failure.ts'
import { loginErrorOf } from './loginError.ts'

function refused(code: number, data: unknown = null) {
  return loginErrorOf(new Refusal(code, 'm', data))
}

test('each login refusal belongs to a field or to the form', () => {
  expect(refused(103001)).toEqual({ at: 'account', why: 'unknown' })
  expect(refused(103003)).toEqual({ at: 'password', why: 'wrong' })
  expect(refused(103002)).toEqual({ at: 'form', why: 'storeInactive' })
  expect(refused(103005, { retryAfter: 30 })).toEqual({
    at: 'form',
    why: 'tooManyAttempts',
    seconds: 30,
  })
  expect(refused(104001)).toEqual({ at: 'company' })
  expect(refused(999)).toEqual({ at: 'form', why: 'other', message: 'm' })
})

test('a refused value is reported at its field', () => {
  const fields = [{ path: 'account', reason: 'tooLong', message: 'too long' }]
  expect(loginErrorOf(new Refusal(422, 'm', { fields }))).toEqual({
    at: 'account',
    why: 'refused',
    message: 'too long',
  })
})

test('a wait with unreadable seconds is still reported', () => {
  expect(loginErrorOf(new Refusal(103005, 'slow down', null))).toEqual({
    at: 'form',
    why: 'other',
    message: 'slow down',
  })
})

test('distinguishes a missing answer from an HTTP error', () => {
  expect(loginErrorOf(new NoAnswer(new TypeError('failed')))).toEqual({
    at: 'form',
    why: 'noAnswer',
  })
  expect(loginErrorOf(new HttpFailure(503, 'Service Unavailable', 1))).toEqual({
    at: 'form',
    why: 'other',
    message: '503:Service Unavailable',
  })
})
