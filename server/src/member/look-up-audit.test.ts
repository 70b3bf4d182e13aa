import { staffActivity } from '@tillside/contract/activity'
import { couponCodeDetail } from '@tillside/contract/coupon'
import { getOneCustomer } from '@tillside/contract/member'
import { expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase, statement } from '../database/database.ts'
import { call, logIn, ok, testCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'

const readRows = statement(
  `select s.account, a.store_code, a.member_id, a.request_id, a.details from audit a
   join staff s using (company_id, staff_id)
   where company_id = $1 and a.action = 'member.lookUp' order by a.audit_id`,
  z.object({
    account: z.string(),
    store_code: z.string(),
    member_id: z.nullable(z.string()),
    request_id: z.uuid(),
    details: z.object({ by: z.string(), found: z.boolean() }),
  }),
)

test('every look-up writes an audit row, without what was typed', async () => {
  const company = await testCompany()
  const token = await logIn(company, 'ben')
  const member = await testMember(company, { countryCode: '852', mobile: '51234567' })
  const couponCode = await testCoupon(company, member)
  const found = { countryCode: '852', mobile: '51234567' }
  await ok(company, getOneCustomer, found, { token })
  await ok(company, getOneCustomer, { code: member.memberCode }, { token })
  await ok(company, couponCodeDetail, { couponCode }, { token })
  const unknown = { ...found, mobile: '51234568' }
  expect((await call(company, getOneCustomer, unknown, { token })).code).toBe(111102)
  expect((await call(company, couponCodeDetail, { couponCode: 'NONE' }, { token })).code).toBe(
    113001,
  )
  const own = { account: 'ben', store_code: 'S1', request_id: expect.any(String) }
  const rowsNow = () => company.database.reading(company.id, (tx) => tx.all(readRows, [company.id]))
  await vi.waitFor(async () =>
    expect(await rowsNow()).toEqual([
      { ...own, member_id: member.id, details: { by: 'mobile', found: true } },
      { ...own, member_id: member.id, details: { by: 'code', found: true } },
      { ...own, member_id: member.id, details: { by: 'coupon', found: true } },
      { ...own, member_id: null, details: { by: 'mobile', found: false } },
      { ...own, member_id: null, details: { by: 'coupon', found: false } },
    ]),
  )
  // Refused callers look nothing up, and the clerk's list of today has only acts.
  const dan = await logIn(company, 'dan')
  expect((await call(company, getOneCustomer, found, { token: dan })).code).toBe(10000)
  expect((await ok(company, staffActivity, {}, { token })).items).toEqual([])
  expect(await rowsNow()).toHaveLength(5)
  await company.close()
})

test('a server that stops writes the rows of its last look-ups', async () => {
  const company = await testCompany()
  const token = await logIn(company)
  const { memberCode } = await testMember(company)
  const asked = Array.from({ length: 60 }, () =>
    ok(company, getOneCustomer, { code: memberCode }, { token }),
  )
  await Promise.all(asked)
  await company.close()
  const later = openDatabase(inject('databaseUrl'), 1)
  const rows = await later.reading(company.id, (tx) => tx.all(readRows, [company.id]))
  expect(rows).toHaveLength(60)
  expect(new Set(rows.map((row) => row.request_id)).size).toBe(60)
  await later.close()
})
