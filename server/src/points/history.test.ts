import { cancelPoints, explainPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as pg from 'pg'
import * as z from 'zod/mini'
import type { Permission } from '@tillside/contract/wire/permissions'
import { type Statement, statement, type Transaction } from '../database/database.ts'
import { refuse } from '../text/fail.ts'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { readHistory } from './history.ts'
import { addEarning, lockAccount } from './ledger.ts'

let shop: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testSpendingShop()
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await shop.close()
})

type Asked = Record<string, unknown>
const history = (memberCode: string, changes: Asked = {}) =>
  ok(shop, pointHistory, { memberCode, ...changes }, { token })

/** Adds entries of 1, 2, 3 … points at these times. */
async function earnAt(moments: readonly string[]) {
  const member = await testMember(shop)
  await shop.database.transaction(shop.id, async (tx) => {
    const account = await lockAccount(tx, shop.id, member.id)
    for (const [n, at] of moments.entries()) {
      await addEarning(account, {
        type: n % 2 === 0 ? 'earned' : 'adjustmentUp',
        points: n + 1,
        at,
        amount: '1.50',
        earnDate: at.slice(0, 10),
        activeFrom: at.slice(0, 10),
        expiresOn: null,
        invoiceNumber: `R${n}`,
        storeCode: 'S2',
        staffId: null,
        transactionId: null,
        description: null,
      })
    }
  })
  return member
}

describe('the history', () => {
  test('lists the entries, newest first, and the totals', async () => {
    const { memberCode } = await earnAt(['2026-03-09T04:00:00Z', '2026-03-10T04:00:00Z'])
    const { items, nextCursor, totals } = await history(memberCode)
    expect(items).toEqual([
      expect.objectContaining({ type: 100000002, points: 2, balance: 3, invoiceNumber: 'R1' }),
      {
        id: expect.any(String),
        type: 100000000,
        points: 1,
        balance: 1,
        invoiceNumber: 'R0',
        amount: '1.50',
        earnDate: '2026-03-09',
        createDate: '2026-03-09T04:00:00Z',
        expiryDate: null,
        subject: null,
        description: null,
        store: { code: 'S2', name: 'Times Square' },
      },
    ])
    expect(nextCursor).toBeNull()
    expect(totals).toEqual({ balance: 3, valid: 3, redeemedOrExpired: 0, earned: 3 })
  })

  test('continues after the previous page, even if entries were added since', async () => {
    const member = await earnAt(Array.from({ length: 7 }, () => '2026-03-09T04:00:00Z'))
    const { memberCode } = member
    const first = await history(memberCode, { pageSize: 3 })
    await givePoints(shop, member, 100)
    const second = await history(memberCode, { pageSize: 3, cursor: first.nextCursor })
    const third = await history(memberCode, { pageSize: 3, cursor: second.nextCursor })
    const told = [first, second, third].map(({ items }) => items.map((entry) => entry.points))
    expect(told).toEqual([[7, 6, 5], [4, 3, 2], [1]])
    expect(third.nextCursor).toBeNull()
  })

  test('filters by type and by days of the company', async () => {
    // Midnight of 10 March in Hong Kong is 16:00 UTC on 9 March.
    const { memberCode } = await earnAt([
      '2026-03-09T15:59:59.999Z',
      '2026-03-09T16:00:00Z',
      '2026-03-10T15:59:59.999Z',
      '2026-03-10T16:00:00Z',
    ])
    const told = async (changes: Asked) =>
      (await history(memberCode, changes)).items.map((entry) => entry.points)
    expect(await told({ from: '2026-03-10', to: '2026-03-10' })).toEqual([3, 2])
    expect(await told({ from: '2026-03-11' })).toEqual([4])
    expect(await told({ to: '2026-03-09' })).toEqual([1])
    expect(await told({ from: '2026-03-11', to: '2026-03-10' })).toEqual([])
    expect(await told({ types: [100000002] })).toEqual([4, 2])
    expect(await told({ types: [100000000, 100000004] })).toEqual([3, 1])
    expect(await told({ types: [100000012] })).toEqual([])
    const first = await history(memberCode, { types: [100000002], pageSize: 1 })
    expect(await told({ types: [100000002], pageSize: 1, cursor: first.nextCursor })).toEqual([2])
  })

  test('names a gift in the language of the clerk', async () => {
    const { memberCode } = await memberWith(shop, 200)
    await ok(shop, redeemPoints, mug(memberCode, { quantity: 2 }), { token })
    const options = { token, language: 'zh-HK' }
    const { items } = await ok(shop, pointHistory, { memberCode }, options)
    expect(items[0]).toMatchObject({ type: 100000004, subject: 'Mug（港） × 2', description: null })
  })

  test('names the gift of a cancellation, and the reason', async () => {
    const { memberCode } = await memberWith(shop, 200)
    const { entry } = await ok(shop, redeemPoints, mug(memberCode, { quantity: 2 }), { token })
    const reason = 'wrong colour'
    await ok(shop, cancelPoints, { memberCode, entryId: entry.id, reason }, { token })
    const { items } = await ok(shop, pointHistory, { memberCode }, { token, language: 'zh-HK' })
    expect(items[0]).toMatchObject({
      type: 100000010,
      subject: 'Mug（港） × 2',
      description: reason,
    })
  })

  test.each(['x', 'WyIwIiwiYSJd', 'WyIyMTQ3NDgzNjQ4IiwiYSJd', 'WyItMSIsImEiXQ'])(
    'refuses an invalid cursor: %s',
    async (cursor) => {
      const { memberCode } = await memberWith(shop, 0)
      const answer = await call(shop, pointHistory, { memberCode, cursor }, { token })
      expect(answer).toMatchObject({ code: 422, data: { fields: [{ path: 'cursor' }] } })
    },
  )

  test.each([
    [[100000016]],
    [[99999999]],
    [['100000001']],
    [[]],
    [[Number.MAX_SAFE_INTEGER]],
    [[100000000.5]],
  ])('refuses types that are none: %j', async (types) => {
    const { memberCode } = await memberWith(shop, 0)
    const answer = await call(shop, pointHistory, { memberCode, types }, { token })
    expect(answer.code).toBe(422)
  })

  test('is refused for an unknown member', async () => {
    expect((await call(shop, pointHistory, { memberCode: 'NOBODY' }, { token })).code).toBe(111102)
    const input = { memberCode: 'NOBODY' }
    expect((await call(shop, explainPoints, input, { token })).code).toBe(111102)
  })
})

test('the cost of a page does not depend on the length of the history', async () => {
  const member = await testMember(shop)
  await givePoints(shop, member, 1)
  const owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  // Add 20,000 entries with their lots, as after an import.
  const more = 20_000
  const fill = [
    `insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after)
     select $1, $2, gen_random_uuid(), 1 + n, 100000000, 1, 1 + n
     from generate_series(1, ${more}) n`,
    `insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at,
       active_from)
     select company_id, member_id, entry_id, 1, 1, now(), '2026-01-01' from point_entry
     where company_id = $1 and member_id = $2 and seq > 1`,
    `update point_account set balance = ${more} + 1, earned = ${more} + 1, entries = ${more} + 1
     where company_id = $1 and member_id = $2`,
  ]
  for (const sql of fill) await owner.query(sql, [shop.id, member.id])
  await owner.query('analyze point_entry, point_lot')
  await owner.end()
  const blocks = await shop.database.reading(shop.id, async (tx) => {
    // Runs the endpoint's own statements, and explains each one first.
    let read = 0
    const explained = async (s: Statement<unknown>, values: readonly unknown[]) => {
      const text = `explain (analyze, buffers, format json) ${s.text}`
      const plan = await tx.one(statement(text, Explained), values)
      const { Plan } = plan['QUERY PLAN'][0]
      read += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
    }
    const watched: Transaction = {
      ...tx,
      all: async (s, values) => (await explained(s, values), tx.all(s, values)),
      one: async (s, values) => (await explained(s, values), tx.one(s, values)),
      maybe: async (s, values) => (await explained(s, values), tx.maybe(s, values)),
    }
    const { items, totals } = await readHistory(
      { ...caller(), tx: watched },
      { memberCode: member.memberCode, pageSize: 20 },
      member.id,
    )
    expect([items[0]?.points, items.length, totals.valid]).toEqual([1, 20, more + 1])
    return read
  })
  // Reading all entries or all lots would take hundreds of blocks.
  expect(blocks).toBeLessThan(100)
})

const Explained = z.object({
  'QUERY PLAN': z.tuple([
    z.object({
      Plan: z.object({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() }),
    }),
  ]),
})

function caller() {
  return {
    company: { id: shop.id, identifier: shop.identifier, revision: 1, timeZone: 'Asia/Hong_Kong' },
    staff: { id: '', account: '', firstName: '', lastName: '' },
    isSystem: false,
    store: { code: 'S1', name: '' },
    group: { code: 'full', permissionVersion: 1, menus: [] },
    hasMemberModule: true,
    permissions: new Set<Permission>(),
    seenPermissionVersion: 1,
    now: new Date().toISOString(),
    today,
    tokenHash: Buffer.alloc(0),
    language: 'en-US',
    requestId: '',
    fail: refuse,
    changed: () => {},
  } as const
}
