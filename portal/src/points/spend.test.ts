import type { LoginInfo } from '@tillside/contract/auth'
import { expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
const storage = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => {
    kept.set(name, value)
    Object.assign(storage, { [name]: value })
  },
  removeItem: (name: string) => {
    kept.delete(name)
    Reflect.deleteProperty(storage, name)
  },
}
vi.stubGlobal('sessionStorage', storage)
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('document', { cookie: '' })
vi.stubGlobal('fetch', () => Promise.reject(new TypeError('the network is gone')))

const { createSpend, requestName, unansweredSpends } = await import('./spend.ts')

const clerk: LoginInfo = {
  token: 't',
  expiresAt: -1,
  staff: { account: 'amy', firstName: 'Amy', lastName: 'Hart' },
  store: { name: 'Bryant Park', code: 'NY001' },
}
const gift = {
  quantity: 2,
  memberCode: 'AUR1',
  expectedBalance: 12_480,
  kind: 'gift' as const,
  giftId: 'G-BEANS',
}

test('the name does not depend on the order of the properties', () => {
  const { quantity, ...rest } = gift
  expect(requestName({ ...rest, quantity })).toBe(requestName(gift))
})

test.each([
  gift,
  { kind: 'transaction' as const, memberCode: 'AUR1', points: 500, expectedBalance: 900 },
  { kind: 'coupon' as const, memberCode: 'AUR1', couponId: 'C', quantity: 1, expectedBalance: 9 },
])('restores an unanswered request: $kind', async (input) => {
  const action = createSpend(clerk, input)
  action.open()
  await action.send()
  expect(action.state().step).toBe('unknown')

  const found = unansweredSpends(clerk, 'AUR1')
  expect(found).toEqual([input])
  expect(unansweredSpends(clerk, 'AUR2')).toEqual([])
  // After a reload a new action reads the stored key.
  const again = createSpend(clerk, found[0] ?? input)
  again.open()
  expect(again.state().step).toBe('unknown')
  storage.removeItem([...kept.keys()][0] ?? '')
})
