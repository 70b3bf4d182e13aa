import { couponCodeDetail } from '@tillside/contract/coupon'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMergeShop } from '../testing/merge-shop.ts'
import { makeCouponCode, ownerOfCode } from './code.ts'

let t: Awaited<ReturnType<typeof testMergeShop>>
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  t = await testMergeShop()
  await owner.connect()
})
afterAll(async () => {
  expect(await t.shop.violations()).toEqual([])
  await owner.end()
  await t.shop.close()
})

const ownerOf = (code: string) =>
  t.shop.database.reading(t.shop.id, async (tx) => ownerOfCode(tx, t.shop.id, code))
const detailOf = async (couponCode: string) =>
  (await ok(t.shop, couponCodeDetail, { couponCode }, t)).member.memberCode

describe('a coupon has a key with its member', () => {
  test('from the statement that makes it', async () => {
    const [anna] = await t.two()
    const code = makeCouponCode()
    await owner.query(
      `select make_coupons($1, $2, 'TREAT', $3, now(), current_date, current_date, current_date,
         null, 'S1', null, null)`,
      [t.shop.id, anna.id, [code]],
    )
    expect(await ownerOf(code)).toBe(anna.id)
  })

  test('that follows a merge and its undo', async () => {
    const [survivor, merged] = await t.two()
    const code = await testCoupon(t.shop, merged)
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    expect([await ownerOf(code), await detailOf(code)]).toEqual([survivor.id, survivor.memberCode])
    expect(await t.unmerge(merged)).toMatchObject({ code: 0 })
    expect([await ownerOf(code), await detailOf(code)]).toEqual([merged.id, merged.memberCode])
  })
})

test('doctor reports a coupon without a key, a key without one, and another member', async () => {
  const [anna, ben] = await t.two()
  const code = await testCoupon(t.shop, anna)
  const prefix = code.slice(0, 4)
  const of = [t.shop.id, code]
  await owner.query('delete from coupon_key where company_id = $1 and coupon_code = $2', of)
  expect(await t.shop.violations()).toEqual([`keyed: codes ${prefix}…: 1 coupons, 0 keys`])
  await owner.query('insert into coupon_key values ($1, $2, $3)', [...of, ben.id])
  expect(await t.shop.violations()).toEqual([
    `keyed: codes ${prefix}…: 1 coupons, 1 keys that name other members`,
  ])
  await owner.query(
    'update coupon_key set member_id = $3 where company_id = $1 and coupon_code = $2',
    [...of, anna.id],
  )
  await owner.query('insert into coupon_key values ($1, $2, $3)', [t.shop.id, 'LOST', anna.id])
  expect(await t.shop.violations()).toEqual(['keyed: codes LOST…: 0 coupons, 1 keys'])
  await owner.query('delete from coupon_key where company_id = $1 and coupon_code = $2', [
    t.shop.id,
    'LOST',
  ])
})
