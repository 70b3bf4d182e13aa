import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCoupon } from '@tillside/contract/coupon'
import { failures } from '@tillside/contract/wire/failures'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { waitUntil } from '../process/wait.ts'
import { call, logIn } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { importCoupons } from './import.ts'
import { stopIssuing } from './issue.ts'

// The number of issued coupons is a row of its own. A change of a definition locks it too.

const names = { 'en-US': 'x', 'zh-HK': 'x' }
const base = { names, kind: 'gift', validity: { days: 9 }, stock: 5 } as const
let shop: Shop
let token: string
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
const other = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  shop = await testShop({
    coupons: [
      { ...base, id: 'STOPS' },
      { ...base, id: 'LOWER' },
      { ...base, id: 'WRONG' },
      { ...base, id: 'PAPER' },
    ],
  })
  await Promise.all([owner.connect(), other.connect()])
  for (const client of [owner, other]) {
    await client.query(`select set_config('app.company_id', $1, false)`, [shop.id])
  }
  token = await logIn(shop)
})
afterAll(async () => {
  await Promise.all([owner.end(), other.end()])
  await shop.close()
})

async function issue(couponId: string, quantity = 1): Promise<number> {
  const { memberCode } = await testMember(shop)
  return (await call(shop, issueCoupon, { memberCode, couponId, quantity }, { token })).code
}

/** Whether a change of a definition waits for the stock. */
const isWaiting = async () => {
  const { rowCount } = await owner.query(
    `select from pg_stat_activity where wait_event_type = 'Lock'
       and datname = current_database() and query like 'select issued from stock%'`,
  )
  return rowCount === 1
}

describe('a change of a definition', () => {
  test('waits for an order that has begun', async () => {
    await other.query('begin')
    await other.query(`select issue_refusal($1, $2, 'STOPS', 1, current_date, 'S1', false)`, [
      shop.id,
      randomUUID(),
    ])
    let stopped = false
    const stopping = shop.database
      .transaction(shop.id, (tx) => stopIssuing(tx, shop.id, 'STOPS', true))
      .then((found) => {
        stopped = true
        return found
      })
    expect(await waitUntil(isWaiting)).toBe(true)
    expect(stopped).toBe(false)
    await other.query('commit')
    expect(await stopping).toBe(true)
    expect(await issue('STOPS')).toBe(failures.couponUnknown.code)
  })

  test('is seen by an order that waits for it', async () => {
    await other.query('begin')
    await other.query(`select from stock where item_id = 'LOWER' for no key update`)
    await other.query(`update coupon_definition set stock = 1 where coupon_id = 'LOWER'`)
    const answers = [issue('LOWER'), issue('LOWER')]
    await waitUntil(async () => {
      const { rowCount } = await owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock'
           and datname = current_database() and query like '%issue_%'`,
      )
      return rowCount === 2
    })
    await other.query('commit')
    expect((await Promise.all(answers)).toSorted((a, b) => a - b)).toEqual([
      0,
      failures.couponOutOfStock.code,
    ])
  })
})

test('imports and orders at the same time make no more than the stock', async () => {
  const { memberCode } = await testMember(shop)
  const folder = await mkdtemp(join(tmpdir(), 'tillside-stock-'))
  const bringIn = async (first: string) => {
    const rows = [1, 2, 3].map((n) => `${first}${n}00000,${memberCode}`)
    const file = join(folder, `${first}.csv`)
    await writeFile(file, ['code,memberCode', ...rows].join('\n'))
    const listener = { reject: async () => {}, progress: () => {} }
    return (await importCoupons(shop.database, shop, 'PAPER', file, listener)).created
  }
  try {
    const [one, two, ...codes] = await Promise.all([
      bringIn('ONE'),
      bringIn('TWO'),
      ...Array.from({ length: 4 }, () => issue('PAPER')),
    ])
    expect(one + two + codes.filter((code) => code === 0).length).toBe(5)
    expect(await shop.violations()).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

const found = (counted: number) => [`counted: coupon WRONG: ${counted} counted, 2 there, 5 at most`]

test('doctor reports a count that is missing, too high or too low', async () => {
  expect(await shop.violations()).toEqual([])
  expect(await issue('WRONG', 2)).toBe(0)
  for (const counted of [1, 6]) {
    await owner.query(`update stock set issued = $1 where item_id = 'WRONG'`, [counted])
    expect(await shop.violations()).toEqual(found(counted))
  }
  await owner.query(`delete from stock where item_id = 'WRONG'`)
  expect(await shop.violations()).toEqual(found(-1))
})
