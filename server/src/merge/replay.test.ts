import { cancelPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '../testing/factories/company.ts'
import { givePoints } from '../testing/factories/points.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { now, testMergeShop } from '../testing/merge-shop.ts'

let t: Awaited<ReturnType<typeof testMergeShop>>
beforeAll(async () => {
  t = await testMergeShop()
})
afterAll(async () => {
  expect(await t.shop.violations()).toEqual([])
  await t.shop.close()
})

test('before the merge, a replay lets a spending take only points of its own member', async () => {
  const [survivor, merged] = await t.two()
  await givePoints(t.shop, survivor, 100, '2031-05-05')
  // They would burn first if both had always been one member.
  await givePoints(t.shop, merged, 100, '2031-01-01')
  const sale = receipt([['A', '100.00', 1]], { occurredAt: '2026-10-01T04:00:00Z' })
  await t.shop.send(survivor.id, sale)
  const entryId = await t.spend(survivor, 150)
  await t.merge(survivor, merged)
  const original = nameOf(sale)
  await t.shop.send(survivor.id, receipt([['A', '100.00', -1]], { original, ...now() }))
  expect(await t.balanceOf(survivor)).toBe(50)
  const { memberCode } = survivor
  const undo = { memberCode, entryId, reason: 'wrong till' }
  await ok(t.shop, cancelPoints, undo, { token: t.token })
  expect(await t.balanceOf(survivor)).toBe(200)
})
