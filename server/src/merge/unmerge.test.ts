import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { couponCodeDetail, redeemCoupon } from '@tillside/contract/coupon'
import { cancelPoints } from '@tillside/contract/points'
import { listTransactions } from '@tillside/contract/transaction'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { findCompany } from '../company/find.ts'
import { issueCoupons } from '../coupon/issue.ts'
import { isLockTimeout, openDatabase, statement } from '../database/database.ts'
import { findMemberId } from '../member/look-up.ts'
import { projectRoot } from '../process/config.ts'
import { tillside } from '../testing/command.ts'
import { contentsOf } from '../testing/contents.ts'
import { ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { author, type Known, now, testMergeShop } from '../testing/merge-shop.ts'
import { givePoints } from '../testing/factories/points.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { record } from '../transaction/record.ts'
import { mergeMembers } from './merge.ts'

let t: Awaited<ReturnType<typeof testMergeShop>>
beforeAll(async () => {
  t = await testMergeShop()
})
afterAll(async () => {
  expect(await t.shop.violations()).toEqual([])
  await t.shop.close()
})

/** They record acts. */
const records = ['audit', 'delivery', 'event', 'outbox', 'outbox_member', 'session_epoch'].concat([
  'member_merge',
  'member_merge_row',
])

describe('an unmerge', () => {
  test('restores every row of both members', async () => {
    const [survivor, merged] = [await t.busy(), await t.busy()]
    const before = [await t.rowsOf(survivor), await t.rowsOf(merged)]
    await t.merge(survivor, merged)
    const { code, stdout } = await t.unmerge(merged)
    expect([code, stdout]).toEqual([
      0,
      `${merged.memberCode} and ${survivor.memberCode} are two members again\n`,
    ])
    expect([await t.rowsOf(survivor), await t.rowsOf(merged)]).toEqual(before)
    // And once more.
    expect((await t.merge(merged, survivor)).code).toBe(0)
    expect((await t.unmerge(survivor)).code).toBe(0)
    expect([await t.rowsOf(survivor), await t.rowsOf(merged)]).toEqual(before)
  })

  test('restores members who had returned a sale without a member', async () => {
    const [survivor, merged] = [await t.busy(), await t.busy()]
    const sale = receipt([['A', '80.00', 4]], now())
    await t.shop.send(null, sale)
    const original = nameOf(sale)
    const giveBack = () => receipt([['A', '80.00', -1]], { original, ...now() })
    for (const { id } of [survivor, merged]) await t.shop.send(id, giveBack())
    const state = async () => [
      await t.rowsOf(survivor),
      await t.rowsOf(merged),
      // Also the rows at the sale's place, which has no member.
      await contentsOf(t.shop, records),
    ]
    const before = await state()
    await t.merge(survivor, merged)
    expect((await t.unmerge(merged)).stderr).toBe('')
    expect(await state()).toEqual(before)
    expect(await t.shop.violations()).toEqual([])

    // And once more, with another return of that sale since.
    await t.merge(survivor, merged)
    await t.shop.send(survivor.id, giveBack())
    expect((await t.unmerge(merged)).stderr).toBe('')
    expect(await t.rowsOf(merged)).toEqual(before[1])
    const receipts = (await t.rowsOf(survivor))['transaction'] ?? []
    expect(receipts).toHaveLength((before[0]?.['transaction']?.length ?? 0) + 1)
    expect(await t.shop.violations()).toEqual([])
  })

  test('gives each what followed since: sales, returns, used coupons, undos', async () => {
    const [survivor, merged] = [await t.busy(), await t.busy()]
    await t.merge(survivor, merged)
    const sale = receipt([['B', '55.00', 1]], now())
    await t.shop.send(survivor.id, sale)
    const original = nameOf(merged.sale)
    await t.shop.send(survivor.id, receipt([['A', '300.00', -1]], { original, ...now() }))
    const entryId = await t.spend(survivor, 300)
    const { memberCode } = survivor
    await ok(
      t.shop,
      cancelPoints,
      { memberCode, entryId, reason: 'wrong till' },
      { token: t.token },
    )
    await ok(t.shop, redeemCoupon, { couponCode: merged.coupon, memberCode }, { token: t.token })
    expect((await t.unmerge(merged)).stderr).toBe('')
    expect(await t.balanceOf(survivor)).toBe(360 + 55)
    expect(await t.balanceOf(merged)).toBe(60)
    const { items } = await ok(
      t.shop,
      listTransactions,
      { memberCode: merged.memberCode },
      { token: t.token },
    )
    expect(items).toHaveLength(3)
    const detail = await ok(
      t.shop,
      couponCodeDetail,
      { couponCode: merged.coupon },
      { token: t.token },
    )
    expect([detail.member.memberCode, detail.status]).toEqual([merged.memberCode, 'USED'])
    expect(await t.shop.violations()).toEqual([])
  })
})

describe('refused by name, and nothing changes', () => {
  test('what is no merge of two members', async () => {
    const [survivor, merged, third, erased] = [...(await t.two()), ...(await t.two())] as const
    const other = await testSpendingShop()
    const foreign = await testMember(other)
    await other.close()
    await tillside('member', 'erase', t.shop.identifier, erased.memberCode, ...author, '--yes')
    expect((await t.merge(survivor, merged)).code).toBe(0)
    const before = await t.rowsOf(survivor, merged, third, erased)
    for (const [a, b, reason] of [
      [survivor, survivor, 'memberSame'],
      [survivor, foreign, 'memberUnknown'],
      [foreign, survivor, 'memberUnknown'],
      [survivor, erased, 'memberErased'],
      [erased, survivor, 'memberErased'],
      [survivor, merged, 'memberMerged'],
      [third, merged, 'memberMerged'],
      [merged, third, 'memberMerged'],
    ] as const) {
      const { code, stderr } = await t.merge(a, b)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`(${reason})`)])
    }
    for (const [of, reason] of [
      [survivor, 'memberNotMerged'],
      [foreign, 'memberUnknown'],
    ] as const) {
      const { code, stderr } = await t.unmerge(of)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`(${reason})`)])
    }
    expect(await t.rowsOf(survivor, merged, third, erased)).toEqual(before)
  })

  test('an unmerge after 30 days, before a later merge, or after a joint redemption', async () => {
    const [survivor, merged] = await t.two()
    const [third, fourth] = await t.two()
    await givePoints(t.shop, merged, 50)
    await t.merge(survivor, merged)
    await t.merge(survivor, third)
    await expectRefusal(merged, 'mergeNotLast')
    await t.merge(fourth, survivor)
    await expectRefusal(third, 'mergeNotLast')
    for (const one of [survivor, third]) expect((await t.unmerge(one)).stderr).toBe('')
    await ageMerge(merged.id, 31)
    await expectRefusal(merged, 'mergeTooOld')
    await ageMerge(merged.id, 29)
    const entryId = await t.spend(survivor, 50)
    await expectRefusal(merged, 'mergeInUse')
    const { memberCode } = survivor
    await ok(
      t.shop,
      cancelPoints,
      { memberCode, entryId, reason: 'to part them' },
      { token: t.token },
    )
    expect((await t.unmerge(merged)).stderr).toBe('')
    expect(await t.balanceOf(merged)).toBe(50)
  })

  test('the second of two merges at once, on two processes', async () => {
    const [survivor, merged] = await t.two()
    const [third] = await t.two()
    await givePoints(t.shop, merged, 50)
    const results = await Promise.all(
      [survivor, third].map(({ memberCode }) => mergeElsewhere(memberCode, merged.memberCode)),
    )
    const won = results.filter(({ code }) => code === 0)
    expect([won.length, results.find(({ code }) => code !== 0)?.stderr]).toEqual([
      1,
      expect.stringContaining('(memberMerged)'),
    ])
    expect((await t.balanceOf(survivor)) + (await t.balanceOf(third))).toBe(50)
  })
})

test('a sale that waits for the merge reaches the survivor', async () => {
  const [survivor, merged] = await t.two()
  const company = await findCompany(t.shop.database, t.shop.identifier)
  if (company === null) throw new Error('no company')
  const owner = openDatabase(inject('ownerUrl'))
  const merging = owner.transaction(t.shop.id, async (tx) => {
    await mergeMembers(tx, t.shop.id, survivor.memberCode, merged.memberCode)
    const sale = t.shop.database.transaction(t.shop.id, async (other) => {
      const id = (await findMemberId(other, t.shop.id, merged.memberCode)) ?? ''
      return record(other, company, id, receipt([['A', '10.00', 1]], now()))
    })
    await new Promise((wake) => setTimeout(wake, 300))
    return { sale }
  })
  const { sale } = await merging
  expect(await sale).toMatchObject({ outcome: 'created' })
  await owner.close()
  expect(await t.balanceOf(survivor)).toBe(10)
})

test('coupons that are issued during the merge reach the survivor', async () => {
  const [survivor, merged] = await t.two()
  const other = { isRunning: true }
  const done = mergeElsewhere(survivor.memberCode, merged.memberCode).finally(() => {
    other.isRunning = false
  })
  let issued = 0
  const today = await todayOf(t.shop)
  const at = now().occurredAt
  const order = { couponId: 'TREAT', quantity: 1, at, today, storeCode: 'S1', staffId: null }
  while (other.isRunning) {
    const isIssued = await t.shop.database
      .transaction(t.shop.id, async (tx) => {
        const memberId = (await findMemberId(tx, t.shop.id, merged.memberCode)) ?? ''
        await issueCoupons(tx, t.shop, { ...order, memberId, paidWithPoints: false })
        return true
      })
      .catch(refusedWhileLocked)
    if (isIssued) issued += 1
  }
  expect(await done).toMatchObject({ code: 0 })
  expect(issued).toBeGreaterThan(0)
  expect((await t.rowsOf(survivor))['coupon']).toHaveLength(issued)
  expect(await t.shop.violations()).toEqual([])
})

// A merge can hold its locks for longer than a statement waits for one. A clerk then gets 503.
function refusedWhileLocked(error: unknown): false {
  if (!isLockTimeout(error)) throw error
  return false
}

test('an erasure of the survivor erases the merged member too', async () => {
  const [survivor, merged] = await t.two({}, { firstName: 'Zephyrine', lastName: 'Quill' })
  await t.merge(survivor, merged)
  const { memberCode } = survivor
  const exported = await tillside('member', 'export', t.shop.identifier, memberCode, ...author)
  expect(exported.stdout).toContain('Zephyrine')
  await tillside('member', 'erase', t.shop.identifier, survivor.memberCode, ...author, '--yes')
  expect(JSON.stringify(await t.rowsOf(survivor, merged))).not.toMatch(/Zephyrine|Quill/)
  await expectRefusal(merged, 'memberUnknown')
  expect((await t.merge(await testMember(t.shop), merged)).stderr).toContain('(memberErased)')
})

const setAge = statement(
  `update member_merge set merged_at = now() - make_interval(days => $3)
   where company_id = $1 and merged_id = $2 and undone_at is null`,
  z.unknown(),
)

async function ageMerge(mergedId: string, days: number): Promise<void> {
  const owner = openDatabase(inject('ownerUrl'))
  await owner.transaction(t.shop.id, (tx) => tx.run(setAge, [t.shop.id, mergedId, days]))
  await owner.close()
}

async function expectRefusal(merged: Known, reason: string): Promise<void> {
  const { code, stderr } = await t.unmerge(merged)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`(${reason})`)])
}

/** Runs a merge in a process of its own. */
function mergeElsewhere(
  survivor: string,
  merged: string,
): Promise<{ code: number; stderr: string }> {
  const cli = join(projectRoot, 'server/src/cli.ts')
  const words = [
    cli,
    'member',
    'merge',
    t.shop.identifier,
    survivor,
    merged,
    ...author,
    '--confirm',
  ]
  const env = { ...process.env, DATABASE_URL: inject('ownerUrl') }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, { env }, (_error, _stdout, stderr) => {
      resolve({ code: child.exitCode ?? 1, stderr })
    })
  })
}
