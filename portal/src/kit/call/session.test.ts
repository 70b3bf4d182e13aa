import { expect, test } from 'vitest'
import { isLive } from './session.ts'

const info = {
  token: 't',
  expiresAt: -1,
  staff: { account: 'amy', firstName: 'Amy', lastName: 'Lee' },
  store: { name: 'Main', code: 'M1' },
}

test('a session without a token is none, and -1 never expires', () => {
  expect(isLive(null)).toBe(false)
  expect(isLive(info, Number.MAX_SAFE_INTEGER)).toBe(true)
})

test('an expiry is in seconds, and over in its own second', () => {
  expect(isLive({ ...info, expiresAt: 100 }, 99_999)).toBe(true)
  expect(isLive({ ...info, expiresAt: 100 }, 100_000)).toBe(false)
})
