import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { testMobile, waitingCode } from '../testing/verification.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany({ languages: ['en-US', 'zh-HK'] })
  token = await logIn(company)
})
afterAll(() => company.close())

const run = (sql: string, values: unknown[] = []) =>
  company.database.transaction(company.id, (tx) =>
    tx.run(statement(sql, z.unknown()), [company.id, ...values]),
  )
const read = <Row>(sql: string, row: z.ZodMiniType<Row>, values: unknown[] = []) =>
  company.database.reading(company.id, (tx) => tx.all(statement(sql, row), [company.id, ...values]))
/** Moves the times of one contact into the past. */
const wait = (e164: string, seconds: number) =>
  run(
    `update contact_code set expires_at = expires_at - make_interval(secs => $3),
       sends = array(select x - make_interval(secs => $3) from unnest(sends) x)
     where company_id = $1 and value = $2`,
    [e164, seconds],
  )
const send = (input: object, language = 'en-US') =>
  call(company, sendMobileCaptcha, input, { token, language })
const newest = z.object({ channel: z.string(), recipient: z.string(), content: z.unknown() })
const messageTo = async (recipient: string) => {
  const sql = `select channel, recipient, content from message
    where company_id = $1 and recipient = $2 order by message_id desc limit 1`
  return (await read(sql, newest, [recipient]))[0]
}

describe('a code', () => {
  test('is sent to a number in E.164, in the clerk’s language', async () => {
    const number = testMobile()
    const e164 = `+852${number.mobile}`
    const answer = await send(number, 'zh-HK')
    expect(answer).toMatchObject({ code: 0, data: { expiresIn: 300, resendAfter: 60 } })
    const name = 'Test Company（港）'
    const code = await waitingCode(company, e164)
    expect(await messageTo(e164)).toEqual({
      channel: 'sms',
      recipient: e164,
      content: {
        sender: name,
        subject: `${name}：您的驗證碼`,
        text: `【${name}】您的驗證碼是${code}，5分鐘內有效。請只告訴正在為您服務的店員。`,
      },
    })
  })

  test('is sent to an address as it was typed, and is not in the subject', async () => {
    const email = 'Grace.LEE@Example.com'
    await ok(company, sendEmailCaptcha, { email }, { token })
    const code = await waitingCode(company, email)
    const message = await messageTo(email)
    expect(message).toMatchObject({
      channel: 'email',
      content: {
        sender: 'Test Company',
        subject: 'Test Company: your verification code',
        text: expect.stringContaining(`your verification code is ${code}.`),
      },
    })
    // Compared without case: the same contact a moment later.
    const again = await call(company, sendEmailCaptcha, { email: email.toLowerCase() }, { token })
    expect(again.code).toBe(112003)
  })

  test('is stored only as a hash, with one audit row without personal data', async () => {
    const number = testMobile()
    await send(number)
    const code = await waitingCode(company, `+852${number.mobile}`)
    const text = z.object({ row: z.string() })
    const rows = await read(`select c::text as row from contact_code c where company_id = $1`, text)
    expect(rows.some(({ row }) => row.includes(number.mobile))).toBe(true)
    for (const { row } of rows) expect(row).not.toMatch(new RegExp(`\\b${code}\\b`))
    const audit = await read(
      `select a::text as row from audit a where company_id = $1 and action = 'verification.send'`,
      text,
    )
    expect(audit.length).toBeGreaterThan(0)
    expect(JSON.stringify(audit)).not.toMatch(new RegExp(`${number.mobile}|${code}`))
  })
})

describe('a number', () => {
  test.each([
    ['possible but not valid', { countryCode: '852', mobile: '11111111' }],
    ['of another country', { countryCode: '86', mobile: '51234567' }],
    ['with a wrongly split calling code', { countryCode: '85', mobile: '251234567' }],
    ['too short for its country', { countryCode: '1', mobile: '5550123' }],
  ])('that is %s is refused at its field', async (_case, input) => {
    expect(await send(input)).toMatchObject({
      code: 422,
      data: { fields: [{ path: 'mobile', reason: 'format' }] },
    })
  })

  test('that belongs to a member gets no code, in any spelling', async () => {
    await testMember(company, { countryCode: '886', mobile: '912345678', email: 'a@b.example' })
    for (const mobile of ['912345678', '0912345678']) {
      const answer = await send({ countryCode: '886', mobile })
      expect(answer).toMatchObject({ code: 111103, data: { field: 'mobile' } })
    }
    const answer = await call(company, sendEmailCaptcha, { email: 'A@B.Example' }, { token })
    expect(answer).toMatchObject({ code: 111103, data: { field: 'email' } })
    expect(await messageTo('+886912345678')).toBeUndefined()
  })
})

describe('sending again', () => {
  test('is possible after a minute', async () => {
    const number = testMobile()
    await send(number)
    const refused = await send(number)
    expect(refused.code).toBe(112003)
    const { retryAfter } = z.object({ retryAfter: z.int() }).parse(refused.data)
    expect(retryAfter).toBeGreaterThan(55)
    expect(retryAfter).toBeLessThanOrEqual(60)
    await wait(`+852${number.mobile}`, retryAfter)
    expect((await send(number)).code).toBe(0)
  })

  test('is possible ten times a day', async () => {
    const number = testMobile()
    const e164 = `+852${number.mobile}`
    for (let n = 0; n < 10; n++) {
      expect((await send(number)).code).toBe(0)
      await wait(e164, 60)
    }
    const refused = await send(number)
    expect(refused.code).toBe(112003)
    const { retryAfter } = z.object({ retryAfter: z.int() }).parse(refused.data)
    expect(retryAfter).toBeGreaterThan(86_400 - 610)
    expect(retryAfter).toBeLessThanOrEqual(86_400 - 600)
    await wait(e164, retryAfter)
    expect((await send(number)).code).toBe(0)
  })

  test('invalidates the previous code and cancels its message', async () => {
    const number = testMobile()
    const e164 = `+852${number.mobile}`
    await send(number)
    const first = await waitingCode(company, e164)
    await wait(e164, 60)
    await send(number)
    const second = await waitingCode(company, e164)
    const waiting = await read(
      `select outcome from message where company_id = $1 and recipient = $2`,
      z.object({ outcome: z.null() }),
      [e164],
    )
    expect(waiting).toHaveLength(1)
    // Once in a million runs both codes are the same.
    if (first === second) return
    const old = await call(company, validateMobileCaptcha, { ...number, captcha: first }, { token })
    expect(old.code).toBe(112001)
    await ok(company, validateMobileCaptcha, { ...number, captcha: second }, { token })
  })
})

/** Sets how much of an hour's allowance of codes is used up, in seconds. */
const used = (holder: 'staff' | 'company', seconds: number) =>
  run(
    `insert into code_allowance (company_id, holder, paid_until)
     select $1, case when $2 = 'company' then $1 else staff_id end,
       clock_timestamp() + make_interval(secs => $3)
     from staff where company_id = $1 and account = 'amy'
     on conflict (company_id, holder) do update set paid_until = excluded.paid_until`,
    [holder, seconds],
  )

describe('the limit over all contacts', () => {
  test.each([
    ['a clerk', 'staff', 60],
    ['a company', 'company', 2_000],
  ] as const)('allows %s an hour’s worth of codes', async (_who, holder, most) => {
    await used(holder, 3_600 - 3_600 / most)
    expect((await send(testMobile())).code).toBe(0)
    await used(holder, 3_600 + 600)
    const refused = await send(testMobile())
    expect(refused.code).toBe(112003)
    const { retryAfter } = z.object({ retryAfter: z.int() }).parse(refused.data)
    expect(retryAfter).toBeGreaterThan(500)
    expect(retryAfter).toBeLessThanOrEqual(600 + Math.ceil(3_600 / most))
    // E-mail and short messages share the limit.
    const email = `${crypto.randomUUID()}@example.com`
    expect((await call(company, sendEmailCaptcha, { email }, { token })).code).toBe(112003)
    await used(holder, 0)
  })

  test('lets concurrent requests use the rest, and counts each clerk separately', async () => {
    await used('staff', 3_600 - 5 * 60)
    const numbers = Array.from({ length: 20 }, () => testMobile())
    const answers = await Promise.all(numbers.map((number) => send(number)))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 0)).toHaveLength(5)
    expect(codes.filter((code) => code === 112003)).toHaveLength(15)
    const other = await testClerk(company, 'another')
    expect((await call(company, sendMobileCaptcha, testMobile(), { token: other })).code).toBe(0)
    await used('staff', 0)
  })
})
