import { describe, expect, test } from 'vitest'
import { HttpFailure, NoAnswer, Refusal } from '../../kit/call/failure.ts'
import { passwordErrorsOf, validatePasswords } from './passwordErrors.ts'

const good = { origin: 'Counter#2026', next: 'Spring#2027', again: 'Spring#2027' }

const invalid = (path: string, reason = 'notAllowed') => ({
  fields: [{ path, reason, message: 'no' }],
})

describe('validation in the portal', () => {
  const cases = [
    ['all is well', {}, {}],
    ['nothing typed', { origin: '', next: '', again: '' }, everything('required')],
    ['seven characters', { next: 'Sprin#7', again: 'Sprin#7' }, { next: 'format' }],
    ['eight', { next: 'Spring#7', again: 'Spring#7' }, {}],
    ['sixteen', { next: 'a'.repeat(16), again: 'a'.repeat(16) }, {}],
    ['seventeen', { next: 'a'.repeat(17), again: 'a'.repeat(17) }, { next: 'format' }],
    ['a space in it', { next: 'Spring 2027', again: 'Spring 2027' }, { next: 'format' }],
    [
      'a wide space in it',
      { next: 'Spring\u30002027', again: 'Spring\u30002027' },
      { next: 'format' },
    ],
    [
      'a zero-width space in it',
      { next: 'Spring\u200b#2027' },
      { next: 'format', again: 'mismatch' },
    ],
    ['repeated otherwise', { again: 'spring#2027' }, { again: 'mismatch' }],
    ['both at once', { next: 'short', again: 'shorter' }, { next: 'format', again: 'mismatch' }],
  ] as const
  for (const [name, typed, expected] of cases) {
    test(name, () => expect(validatePasswords({ ...good, ...typed })).toEqual(expected))
  }
})

function everything(why: 'required') {
  return { origin: why, next: why, again: why }
}

describe('refusals of the server', () => {
  const cases = [
    ['103003', new Refusal(103003, 'no', null), { origin: 'wrong' }],
    ['422 at the new one', new Refusal(422, 'no', invalid('newPassword')), { next: 'format' }],
    [
      '422 for a common password',
      new Refusal(422, 'no', invalid('newPassword', 'commonPassword')),
      { next: 'common' },
    ],
    [
      '422 at the repetition',
      new Refusal(422, 'no', invalid('confirm_password')),
      { again: 'mismatch' },
    ],
    ['422 and nothing else', new Refusal(422, 'no', null), { next: 'format' }],
    [
      'too many tries',
      new Refusal(103005, 'no', { retryAfter: 9 }),
      { form: { why: 'wait', seconds: 9 } },
    ],
    ['something else', new Refusal(999, 'no', null), { form: { why: 'other', message: 'no' } }],
    [
      'an HTTP error',
      new HttpFailure(500, 'Broken', null),
      { form: { why: 'other', message: '500:Broken' } },
    ],
    ['no answer', new NoAnswer(null), { form: { why: 'noAnswer' } }],
  ] as const
  for (const [name, error, expected] of cases) {
    test(name, () => expect(passwordErrorsOf(error)).toEqual(expected))
  }
})
