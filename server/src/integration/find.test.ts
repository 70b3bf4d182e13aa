import { findMember } from '@tillside/contract/integration/members'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createApp } from '../app.ts'
import { countBursts } from '../testing/bursts.ts'
import { shortcuts, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'

// Two processes on one database. Each remembers the id that a key had when it was asked last.
let company: TestCompany
let key: string
let apps: TestCompany['app'][]
const { counted, restore } = countBursts()
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  await owner.connect()
  company = await testCompany()
  ;({ key } = await testKey(company))
  const log = pino({ level: 'silent' })
  const open = () => createApp(company.database, log, { ...shortcuts, remembersSessions: true })
  apps = await Promise.all([open(), open()])
  const { memberCode } = await testMember(company)
  for (const app of apps) await callWithKey({ app }, findMember, { memberCode }, key)
})
afterAll(async () => {
  restore()
  await owner.end()
  await Promise.all(apps.map((app) => app.close()))
  await company.close()
})

/** What a process finds, and in how many round trips. */
async function find(n: number, input: object) {
  const app = apps[n] ?? company.app
  const { answer, bursts } = await counted(() => callWithKey({ app }, findMember, input, key))
  const data = answer.code === 0 ? findMember.data.parse(answer.data) : null
  return [data?.member.memberCode ?? answer.code, bursts]
}

/** The owner moves keys as an edit of a profile does, and without a new epoch. */
const sql = (text: string, values: unknown[]) => owner.query(text, [company.id, ...values])
const removeKey = (memberId: string, kind: string) =>
  sql('delete from member_key where company_id = $1 and member_id = $2 and kind = $3', [
    memberId,
    kind,
  ])

let number = 0
/** A member with each kind of key. */
async function keyed() {
  number += 1
  const mobile = { countryCode: '852', mobile: `5122000${number}` }
  const email = `hint${number}@example.com`
  const cardNumber = `HINT${number}`
  const uniCustomerNo = `HINTU${number}`
  const { id, memberCode } = await testMember(company, {
    ...mobile,
    email,
    cardNumber,
    uniCustomerNo,
  })
  const couponCode = await testCoupon(company, { id })
  const inputs = {
    mobile,
    email: { email },
    card: { cardNumber },
    uni: { uniCustomerNo },
    coupon: { couponCode },
  }
  return { id, memberCode, inputs }
}

const kinds = ['mobile', 'email', 'card', 'uni', 'coupon'] as const

test.each(kinds)(
  'a till finds a member by %s in one round trip from the second time',
  async (by) => {
    const { memberCode, inputs } = await keyed()
    const found = []
    for (const n of [0, 0, 1, 1]) found.push(await find(n, inputs[by]))
    expect(found).toEqual([2, 1, 2, 1].map((bursts) => [memberCode, bursts]))
  },
)

test.each(kinds)('%s that has moved finds its new member, on each process', async (by) => {
  const [from, to] = [await keyed(), await keyed()]
  for (const n of [0, 1, 0, 1]) await find(n, from.inputs[by])
  if (by === 'coupon') {
    await sql('update coupon_key set member_id = $2 where company_id = $1 and member_id = $3', [
      to.id,
      from.id,
    ])
  } else {
    await removeKey(to.id, by)
    await sql(
      `update member_key set member_id = $2
       where company_id = $1 and member_id = $3 and kind = $4`,
      [to.id, from.id, by],
    )
  }
  const found = []
  for (const n of [0, 1, 0, 1]) found.push(await find(n, from.inputs[by]))
  expect(found).toEqual([2, 2, 1, 1].map((bursts) => [to.memberCode, bursts]))
})

test('a key that was given up finds no member', async () => {
  const { id, inputs } = await keyed()
  for (const n of [0, 1, 0, 1]) await find(n, inputs.mobile)
  await removeKey(id, 'mobile')
  for (const n of [0, 1]) expect(await find(n, inputs.mobile)).toEqual(['memberUnknown', 1])
})
