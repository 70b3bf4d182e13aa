import { expect, test } from 'vitest'
import { waitAfter } from './deliver.ts'

test('a failed delivery waits longer each time, up to the longest wait', () => {
  const webhook = { firstSeconds: 5, longestSeconds: 3600 }
  const waits = [1, 2, 3, 10, 11, 100].map((attempts) => waitAfter(attempts, webhook, () => 0.5))
  expect(waits).toEqual([5, 10, 20, 2560, 3600, 3600])
  expect([waitAfter(1, webhook, () => 0), waitAfter(1, webhook, () => 1)]).toEqual([4, 6])
  const message = { firstSeconds: 2, longestSeconds: 60 }
  expect([1, 2, 5, 6, 7].map((n) => waitAfter(n, message, () => 0.5))).toEqual([2, 4, 32, 60, 60])
})
