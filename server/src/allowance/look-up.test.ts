import { confirmPassword } from '@tillside/contract/auth'
import { couponCodeDetail } from '@tillside/contract/coupon'
import { getOneCustomer, revealContact, searchByName } from '@tillside/contract/member'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase, statement } from '../database/database.ts'
import { deliverOutbox } from '../outbox/webhooks.ts'
import { call, logIn, ok, password, testCompany } from '../testing/factories/company.ts'
import type { TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'

let receiver: Receiver
let company: TestCompany
let members: { id: string; memberCode: string }[]
let clerks = 0
beforeAll(async () => {
  receiver = await startReceiver()
  company = await testCompany({
    allowances: { lookUps: { members: 4, minutes: 10 } },
    webhooks: [
      {
        id: 'guard',
        url: receiver.url,
        secretVariable: 'WEBHOOK_SECRET_TEST',
        events: ['staff.alert'],
      },
    ],
  })
  members = await Promise.all(Array.from({ length: 8 }, () => testMember(company)))
})
afterAll(async () => {
  await company.close()
  await receiver.close()
})
afterEach(() => void receiver.taken.splice(0))

const newClerk = () => testClerk(company, `clerk${++clerks}`)
const code = (n: number) => members[n]?.memberCode ?? ''
const find = async (n: number, token: string) =>
  (await call(company, getOneCustomer, { code: code(n) }, { token })).code
const challenge = {
  status: 200,
  code: 111105,
  message: 'You have looked up many members in a short time. Type your password to go on.',
  data: { members: 4, minutes: 10 },
}
/** The alerts that the company's webhook receives within a second. */
async function alerts(count: number) {
  const environment = { WEBHOOK_SECRET_TEST: 'a secret of the test, long enough' }
  await vi.waitFor(
    async () => {
      await deliverOutbox(company.database, company.id, { environment, now: true })
      expect(receiver.taken).toHaveLength(count)
    },
    { timeout: 5000 },
  )
  return receiver.taken.map((message) => message.data)
}
const repeat = statement(
  `insert into look_up (company_id, staff_id, at, seen_id)
   select $1, staff_id, now() - make_interval(secs => n * 1e-6), $3
   from staff, generate_series(1, 2000) n where company_id = $1 and account = $2`,
  z.unknown(),
)
const age = statement(
  `update look_up set at = at - interval '10 minutes' where company_id = $1`,
  z.unknown(),
)

describe('a clerk who looks up more different members than the company allows', () => {
  test('is asked for the password, whatever the way of looking up', async () => {
    const token = await newClerk()
    for (const n of [0, 1, 2, 3]) expect(await find(n, token)).toBe(0)
    expect(await call(company, getOneCustomer, { code: code(4) }, { token })).toEqual(challenge)
    const mobile = { memberCode: code(4), field: 'mobile' }
    expect(await call(company, revealContact, mobile, { token })).toEqual(challenge)
    const couponCode = await testCoupon(company, members[4] ?? { id: '' })
    expect(await call(company, couponCodeDetail, { couponCode }, { token })).toEqual(challenge)
    // The answer does not show whether the member exists.
    expect(await call(company, getOneCustomer, { code: 'NOBODY' }, { token })).toEqual(challenge)
    // Members that the clerk has already seen can still be found.
    for (const n of [0, 1, 2, 3]) expect(await find(n, token)).toBe(0)
    const known = { memberCode: code(0), field: 'mobile' }
    expect((await call(company, revealContact, known, { token })).code).toBe(0)
    expect(await alerts(1)).toEqual([
      {
        memberCode: code(4),
        account: `clerk${clerks}`,
        storeCode: 'S1',
        kind: 'lookUps',
        used: 4,
        limit: 4,
      },
    ])
  })

  test('is asked after as many searches by name, which count as one look-up each', async () => {
    const token = await newClerk()
    const search = (name: string) => call(company, searchByName, { name }, { token })
    // The same name twice is two searches. One that is refused for its text is none.
    for (const name of ['quill', 'quill', 'q', 'quilla']) await search(name)
    expect(await find(0, token)).toBe(0)
    expect(await search('nobody')).toEqual(challenge)
    expect(await find(1, token)).toBe(111105)
    expect(await find(0, token)).toBe(0)
    // Then only the database knows of them.
    await new Promise((wake) => setTimeout(wake, 2100))
    expect(await search('nobody')).toEqual(challenge)
    await ok(company, confirmPassword, { password }, { token })
    expect((await search('nobody')).code).toBe(0)
    await alerts(1)
  })

  test('goes on after the right password, in every session', async () => {
    const token = await newClerk()
    const elsewhere = await logIn(company, `clerk${clerks}`)
    for (const n of [0, 1, 2, 3]) expect(await find(n, n % 2 === 0 ? token : elsewhere)).toBe(0)
    expect(await find(4, elsewhere)).toBe(111105)
    const wrong = { password: 'Wrong#2026' }
    const refused = await call(company, confirmPassword, wrong, { token: elsewhere })
    expect(refused).toMatchObject({ code: 103003, data: null })
    expect(await find(4, elsewhere)).toBe(111105)
    await ok(company, confirmPassword, { password }, { token: elsewhere })
    for (const n of [4, 5, 6, 7]) expect(await find(n, token)).toBe(0)
    expect(await find(0, token)).toBe(111105)
    await alerts(2)
  })

  test('cannot try passwords without end', async () => {
    const token = await newClerk()
    const wrong = { password: 'Wrong#2026' }
    for (let n = 0; n < 10; n++)
      expect((await call(company, confirmPassword, wrong, { token })).code).toBe(103003)
    expect((await call(company, confirmPassword, { password }, { token })).code).toBe(103005)
  })

  test('is asked, too, after two thousand look-ups of the same member', async () => {
    const token = await newClerk()
    expect(await find(0, token)).toBe(0)
    const values = [company.id, `clerk${clerks}`, members[0]?.id]
    await company.database.transaction(company.id, (tx) => tx.run(repeat, values))
    expect(await find(0, token)).toBe(111105)
    await ok(company, confirmPassword, { password }, { token })
    expect(await find(0, token)).toBe(0)
    await alerts(1)
  })

  test('goes on when the time is over', async () => {
    const token = await newClerk()
    for (const n of [0, 1, 2, 3]) expect(await find(n, token)).toBe(0)
    expect(await find(4, token)).toBe(111105)
    await alerts(1)
    // The server remembers the look-ups whose rows it has not written, for two seconds at most.
    await new Promise((wake) => setTimeout(wake, 2100))
    // Then only the database knows of them, as of the look-ups that another process answered.
    expect(await find(4, token)).toBe(111105)
    // Only the owner of the database may change the rows.
    const owner = openDatabase(inject('ownerUrl'), 1)
    await owner.transaction(company.id, (tx) => tx.run(age, [company.id]))
    await owner.close()
    expect(await find(4, token)).toBe(0)
  })
})

test('of many look-ups at once exactly as many succeed, and one alert is sent', async () => {
  const token = await newClerk()
  const answers = await Promise.all(members.map((_, n) => find(n, token)))
  expect(answers.filter((answer) => answer === 0)).toHaveLength(4)
  expect(answers.filter((answer) => answer === 111105)).toHaveLength(4)
  await alerts(1)
})
