import { expect, test } from 'vitest'
import { isLive } from './kept.ts'

const info = {
  token: 't',
  expiresAt: -1,
  staff: { account: 'amy', firstName: 'Amy', lastName: 'Lee' },
  store: { name: 'Main', code: 'M1' },
}

test('a missing session is not live, and -1 never expires', () => {
  expect(isLive(null)).toBe(false)
  expect(isLive(info, Number.MAX_SAFE_INTEGER)).toBe(true)
})

test('an expiry is in seconds and takes effect in that second', () => {
  expect(isLive({ ...info, expiresAt: 100 }, 99_999)).toBe(true)
  expect(isLive({ ...info, expiresAt: 100 }, 100_000)).toBe(false)
})
