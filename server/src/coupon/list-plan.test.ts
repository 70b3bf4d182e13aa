import { CouponStatus, getCustomerCoupons } from '@tillside/contract/coupon'
import pino from 'pino'
import * as pg from 'pg'
import { expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { logIn, ok, shortcuts, testCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { recordStatements } from '../testing/recorded-statements.ts'

const Plan = z.object({ 'QUERY PLAN': z.string() })

// A connection keeps a plan that it made while there were few redemptions, so the plan must look
// for them by the coupon, not by the company alone.
test('lists find a redemption by its coupon, also before there are many', async () => {
  const company = await testCompany()
  const { memberCode } = await testMember(company)
  const token = await logIn(company)
  const watch = recordStatements(company.database)
  const app = await createApp(watch.database, pino({ level: 'silent' }), shortcuts)
  for (const only of [{}, ...CouponStatus.options.map((status) => ({ status }))])
    await ok({ app }, getCustomerCoupons, { memberCode, ...only }, { token })
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  // Within a transaction, because pgbouncer takes no settings of a connection.
  await client.query('begin')
  await client.query('set local enable_seqscan = off')
  const lists = watch.asked.filter((text) => text.includes('coupon_redemption'))
  expect(new Set(lists).size).toBe(4)
  for (const text of lists) {
    const { rows } = await client.query(`explain (generic_plan, costs off) ${text}`)
    const plan = rows.map((row) => Plan.parse(row)['QUERY PLAN']).join('\n')
    // A bitmap scan has the condition too, by another name.
    const found = /on coupon_redemption\w* \w+\n\s+(?:Index|Recheck) Cond: (.*)/g
    const conditions = [...plan.matchAll(found)]
    expect(conditions.length, plan).toBeGreaterThan(0)
    for (const [, condition] of conditions) expect(condition, plan).toContain('coupon_code = ')
  }
  await client.query('rollback')
  await client.end()
  await app.close()
  await company.close()
})
