import { checkCoupon, redeemOneCoupon } from '@tillside/contract/integration/coupons'

import {
  acceptTerms,
  findMember,
  listMembers,
  readMember,
  registerMember,
  updateMember,
} from '@tillside/contract/integration/members'
import { readPoints, spendPoints } from '@tillside/contract/integration/points'

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as pg from 'pg'

import * as z from 'zod/mini'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'
import { givePoints } from '../../testing/factories/points.ts'

import { type Shop, testShop } from '../../testing/factories/shop.ts'

let s: Shop
let owner: pg.Client
let key: string
beforeAll(async () => {
  s = await testShop()
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [s.id])
  key = (await testKey(s)).key
})
afterAll(async () => {
  await owner.end()
  await s.close()
})

describe('a key in the place of a clerk', () => {
  it('finds a member by each of the six names, with contacts in full', async () => {
    const contacts = { countryCode: '852', mobile: '61110000', email: 'find.me@example.com' }
    const member = await testMember(s, contacts)
    const found = await callWithKey(s, readMember, { memberCode: member.memberCode }, key)
    const { member: m } = readMember.data.parse(found.data)
    const names = [
      { countryCode: m.countryCode, mobile: m.mobile },
      { cardNumber: m.cardNumber },
      { email: m.email },
      { memberCode: m.memberCode },
      { uniCustomerNo: m.uniCustomerNo },
      { couponCode: await testCoupon(s, member) },
    ]
    for (const name of names) {
      const answer = await callWithKey(s, findMember, name, key)
      expect(answer).toMatchObject({ status: 200, data: { member: m } })
    }
    expect(m.mobile).toMatch(/^\d{8}$/)
    for (const wrong of [{}, { cardNumber: 'X', email: 'a@b.de' }, { mobile: '51118888' }]) {
      expect(await callWithKey(s, findMember, wrong, key)).toMatchObject({ code: 'invalid' })
    }
  })

  it('is named by what it did, and by no list of clerks', async () => {
    const { key: till, keyId } = await testKey(s, { name: 'Till 7', stores: ['S1'] })
    const member = await testMember(s)
    const couponCode = await testCoupon(s, member)
    await callWithKey(s, redeemOneCoupon, { couponCode, memberCode: member.memberCode }, till)
    const redemption = await owner.query(
      'select staff_id from coupon_redemption where coupon_code = $1',
      [couponCode],
    )
    const [{ staff_id: by }] = z.tuple([z.object({ staff_id: z.string() })]).parse(redemption.rows)
    const { rows } = await owner.query(
      `select s.account, s.first_name, s.password_hash, a.store_code, a.action
       from staff s join audit a using (company_id, staff_id) where staff_id = $1`,
      [by],
    )
    expect(rows).toEqual([
      {
        account: `key ${keyId}`,
        first_name: 'Till 7',
        password_hash: null,
        store_code: 'S1',
        action: 'coupon.redeem',
      },
    ])
  })

  it('registers, changes and records a consent like a clerk', async () => {
    const made = await callWithKey(
      s,
      registerMember,
      {
        firstName: 'Kim',
        countryCode: '852',
        mobile: '61234567',
        tncVersion: '2',
        marketingOptIn: false,
      },
      key,
    )
    expect(made).toMatchObject({ status: 200, data: { mobile: '61234567', version: 1 } })
    const { memberCode } = registerMember.data.parse(made.data)
    const renamed = await callWithKey(
      s,
      updateMember,
      { memberCode, version: 1, firstName: 'Kimi' },
      key,
    )
    expect(renamed).toMatchObject({ status: 200, data: { firstName: 'Kimi', version: 2 } })
    const consent = { memberCode, tncVersion: '2', marketingOptIn: true }
    const agreed = await callWithKey(s, acceptTerms, consent, key)
    expect(agreed).toMatchObject({ status: 200, data: { marketingOptIn: true } })
    const taken = {
      firstName: 'Lee',
      countryCode: '852',
      mobile: '61234567',
      tncVersion: '2',
      marketingOptIn: false,
    }
    expect(await callWithKey(s, registerMember, taken, key)).toMatchObject({
      status: 409,
      code: 'contactTaken',
      problem: { data: { field: 'mobile' } },
    })
    const wrong = await callWithKey(s, updateMember, { memberCode, version: 2, email: 'x' }, key)
    expect(wrong.problem?.errors).toMatchObject([{ path: 'email', code: 'format' }])
  })

  it('lists members that changed, ten seconds after the change', async () => {
    const { memberCode, id } = await testMember(s)
    const changedSince = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '')
    const listed = async () => {
      const page = await callWithKey(s, listMembers, { changedSince, limit: 100 }, key)
      return listMembers.data.parse(page.data).items.map((item) => item.member.memberCode)
    }
    expect(await listed()).not.toContain(memberCode)
    await owner.query(
      `update member set changed_at = now() - interval '30 seconds' where member_id = $1`,
      [id],
    )
    expect(await listed()).toContain(memberCode)
  })

  it('spends points and checks a coupon by the rules of the counter', async () => {
    const member = await testMember(s)
    const { memberCode } = member
    await givePoints(s, member, 1_000)
    const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
    const spent = await callWithKey(s, spendPoints, gift, key)
    expect(spent).toMatchObject({ status: 200, data: { amount: null } })
    const points = await callWithKey(s, readPoints, { memberCode }, key)
    expect(points.data).toMatchObject({
      balance: spendPoints.data.parse(spent.data).balance,
    })
    const couponCode = await testCoupon(s, member)
    expect(await callWithKey(s, checkCoupon, { couponCode }, key)).toMatchObject({
      data: { code: couponCode, member: { memberCode } },
    })
  })
})
