import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Statement, Transaction } from '../database/database.ts'
import { isOnCluster } from '../testing/cluster/off-cluster.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { answerComparisons } from './answers.ts'
import { compare } from './compare.ts'

// The rules about rows that are not on the same nodes. Each test damages data as the owner of the
// tables.
let s: Shop
let member: { id: string; memberCode: string }
let owner: pg.Client
let clerk: string
beforeEach(async () => {
  s = await testShop()
  member = await testMember(s)
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  const { rows } = await sql(
    'select staff_id from staff where company_id = $1 and account = $2',
    'amy',
  )
  clerk = String(rows[0]?.staff_id)
})
afterEach(async () => {
  await owner.end()
  await s.close()
})

const sql = (text: string, ...values: unknown[]) => owner.query(text, [s.id, ...values])
/** Whole milliseconds, like the times that the program passes on. */
const time = '2026-03-10T10:00:00.123Z'

/** The difference at which two times are of two changes: the nodes of a cluster have clocks. */
const apartMs = isOnCluster ? 1000 : 1

/** An audit row of the clerk that many milliseconds after `time`. */
const audit = (milliseconds: number) =>
  sql(
    `insert into audit (company_id, audit_id, place, staff_id, action, request_id, at)
     values ($1, $2, $2, $3, 'test', 'test', $4::timestamptz + make_interval(secs => $5))`,
    randomUUID(),
    clerk,
    time,
    milliseconds / 1000,
  )

const seed = (at: string) =>
  sql(
    `insert into audit (company_id, audit_id, place, action, request_id, at)
     values ($1, $2, $2, 'demo.seed', 'test', $3)`,
    randomUUID(),
    at,
  )

/** A stored answer. */
const store = (data: unknown) =>
  sql(
    `insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
     values ($1, $2, $3, '/test', '', $4)`,
    clerk,
    randomUUID(),
    JSON.stringify({ data }),
  )

describe('a change by a clerk without an audit row is found:', () => {
  const changes: Record<string, () => Promise<unknown>> = {
    entry: async () => {
      const id = randomUUID()
      await sql(
        `update point_account set balance = 5, earned = 5, entries = 1
         where company_id = $1 and member_id = $2`,
        member.id,
      )
      await sql(
        `insert into point_entry (company_id, member_id, entry_id, seq, type, points,
           balance_after, staff_id, created_at)
         values ($1, $2, $3, 1, 100000000, 5, 5, $4, $5)`,
        member.id,
        id,
        clerk,
        time,
      )
      await sql(
        `insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at,
           active_from)
         values ($1, $2, $3, 5, 5, $4, '2026-03-10')`,
        member.id,
        id,
        time,
      )
    },
    issue: async () =>
      sql(
        `update coupon set issued_by = $3, issued_at = $4
         where company_id = $1 and coupon_code = $2`,
        await testCoupon(s, member),
        clerk,
        time,
      ),
    redemption: async () => {
      const code = await testCoupon(s, member)
      await sql('update coupon set used = true where company_id = $1 and coupon_code = $2', code)
      await sql(
        `insert into coupon_redemption (company_id, coupon_code, member_id, store_code, staff_id,
           redeemed_at)
         values ($1, $2, $3, 'S1', $4, $5)`,
        code,
        member.id,
        clerk,
        time,
      )
    },
  }

  test.each(Object.entries(changes))('%s', async (_, change) => {
    await change()
    const found = [expect.stringMatching(/^audited\w+: .* at 2026-03-10 .* without an audit row$/)]
    expect(await s.violations()).toEqual(found)
    // A row of another moment is not this change's.
    await audit(-apartMs)
    await audit(apartMs)
    expect(await s.violations()).toEqual(found)
    await audit(apartMs / 2)
    expect(await s.violations()).toEqual([])
  })

  test('but not in the past of a demo, which has one audit row for all', async () => {
    await changes['issue']?.()
    await seed('2026-03-09T10:00:00.122Z')
    expect(await s.violations()).toHaveLength(1)
    await seed('2026-03-09T10:00:00.123Z')
    expect(await s.violations()).toEqual([])
  })
})

describe('a stored answer that names what does not exist is found:', () => {
  const entry = '01900000-0000-7000-8000-00000000000e'

  test.each([{ entry: { id: entry } }, { entries: [{ id: entry }] }])('%o', async (data) => {
    await store(data)
    expect(await s.violations()).toEqual([
      `answeredEntries: entry ${entry} of a stored answer does not exist`,
    ])
  })

  test('a coupon, by neither of its codes', async () => {
    const [code, printed] = [await testCoupon(s, member), await testCoupon(s, member)]
    await sql(
      `update coupon set printed_code = 'no-1' where company_id = $1 and coupon_code = $2`,
      printed,
    )
    await store({ coupons: [{ code }, { code: 'no-1' }] })
    expect(await s.violations()).toEqual([])
    await store({ coupons: [{ code }, { code: 'no-2' }] })
    expect(await s.violations()).toEqual([
      'answeredCoupons: coupon no-2 of a stored answer does not exist',
    ])
  })
})

test('a merged member with keys is found', async () => {
  const survivor = await testMember(s)
  await sql(
    `with merge as (
       insert into member_merge (company_id, survivor_id, merged_id, tiers, answers)
       values ($1, $2, $3, '{}', '{}') returning merge_id
     )
     update point_account set merges = array[merge_id] from merge
     where company_id = $1 and member_id = $2`,
    survivor.id,
    member.id,
  )
  const found = ['mergedIsEmpty: a merged member has keys, coupons, consents, receipts or points']
  expect(await s.violations()).toEqual(found)
  await sql('update member_merge set undone_at = now() where company_id = $1')
  expect(await s.violations()).toEqual([])
  await sql('update member_merge set undone_at = null where company_id = $1')
  expect(await s.violations()).toEqual(found)
  await sql('delete from member_key where company_id = $1 and member_id = $2', member.id)
  expect(await s.violations()).toEqual([])
})

const describeAll = (codes: readonly string[]) =>
  codes.map((code) => `coupon ${code} of a stored answer does not exist`)

describe('rows are compared', () => {
  const { answeredCoupons } = answerComparisons

  test.each([1, 2, 5, 6])('in pages of %i', async (pageSize) => {
    const missing = ['no-1', 'no-2', 'no-3']
    for (const code of missing) await store({ coupons: [{ code }] })
    for (const _ of [1, 2]) await store({ coupons: [{ code: await testCoupon(s, member) }] })
    const found = await s.database.reading(s.id, (tx) =>
      compare(tx, s.id, { ...answeredCoupons, pageSize }),
    )
    expect(found.map((one) => one.found).toSorted()).toEqual(describeAll(missing))
  })

  test('until a hundred violations are found', async () => {
    const codes = Array.from({ length: 130 }, (_, n) => `no-${n}`)
    await store({ coupons: codes.map((code) => ({ code })) })
    const found = await s.database.reading(s.id, (tx) => compare(tx, s.id, answeredCoupons))
    expect(found.map((one) => one.found)).toEqual(describeAll(codes.slice(0, 100)))
  })

  test('once more, because one group can change before the other is read', async () => {
    const code = await testCoupon(s, member)
    await store({ coupons: [{ code }] })
    let reads = 0
    const found = await s.database.reading(s.id, (tx) => {
      const changing: Transaction = {
        ...tx,
        async all<Row>(query: Statement<Row>, values: readonly unknown[]) {
          const rows = await tx.all(query, values)
          // After the answers, and before the coupons.
          if ((reads += 1) === 1) {
            await sql('delete from operation where company_id = $1')
            await sql('delete from coupon where company_id = $1')
          }
          return rows
        },
      }
      return compare(changing, s.id, answeredCoupons)
    })
    expect(reads).toBeGreaterThan(2)
    expect(found).toEqual([])
  })
})
