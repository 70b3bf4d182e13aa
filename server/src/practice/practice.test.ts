import { login } from '@tillside/contract/auth'
import { getCustomTheme } from '@tillside/contract/company'
import { findMember, listMembers } from '@tillside/contract/integration/members'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { sendMobileCaptcha, validateMobileCaptcha } from '@tillside/contract/verification'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createPractice } from './create.ts'
import { findCompanyId } from '../company/find.ts'
import { type Database, openDatabase, statement, type Transaction } from '../database/database.ts'
import { findViolations } from '../jobs/invariants.ts'
import { runJob } from '../jobs/job.ts'
import { practiceJob } from '../jobs/practice.ts'
import { tillside } from '../testing/command.ts'
import { offCluster } from '../testing/cluster/off-cluster.ts'
import { call, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { testMobile } from '../testing/verification.ts'
import { refillPractice } from './fill.ts'
import { practiceMemberCount } from './members.ts'

const log = pino({ level: 'silent' })
const Made = z.object({
  identifier: z.string(),
  members: z.int(),
  accounts: z.array(z.object({ account: z.string(), group: z.string(), password: z.string() })),
})

let real: TestCompany
let made: z.infer<typeof Made>
let id: string
let owner: Database
let token: string
beforeAll(async () => {
  owner = openDatabase(inject('ownerUrl'), 2)
  real = await testCompany({
    webhooks: [
      {
        id: 'ERP',
        url: 'https://erp.example.com/events',
        secretVariable: 'WEBHOOK_SECRET',
        events: ['member.created', 'coupon.redeemed', 'points.changed'],
      },
    ],
  })
  const { stdout, stderr } = await tillside('company', 'practice', real.identifier, '--json')
  expect(stderr).toBe('')
  made = Made.parse(JSON.parse(stdout))
  id = (await findCompanyId(real.database, made.identifier)) ?? ''
  const full = made.accounts.find(({ group }) => group === 'full')
  const { account = '', password = '' } = full ?? {}
  const input = { identifier: made.identifier, account, password }
  token = (await ok(real, login, input)).token
})
afterAll(async () => {
  await owner.close()
  await real.close()
})

const read = (sql: string, companyId = id) =>
  real.database.transaction(companyId, async (tx) => {
    const row = await tx.one(statement(sql, z.object({ n: z.int() })), [companyId])
    return row.n
  })
const rows = (table: string, companyId = id) =>
  read(`select count(*)::int as n from ${table} where company_id = $1`, companyId)
const epoch = () => read('select hashtext(epoch::text) n from session_epoch where company_id = $1')
const write = (tx: Transaction, sql: string, of = id) => tx.run(statement(sql, z.unknown()), [of])
const runDue = () => runJob(owner, id, practiceJob, log)
const last = (ago: string) =>
  real.database.transaction(id, (tx) =>
    write(
      tx,
      `update job set finished_at = now() - interval '${ago}'
       where company_id = $1 and name = 'practice'`,
    ),
  )
const reset = () => runJob(owner, id, practiceJob, log, { now: true })

describe('company practice', () => {
  test('creates a company of its own with members, points, coupons and accounts', async () => {
    expect(made).toMatchObject({
      identifier: `${real.identifier}-practice`,
      members: practiceMemberCount,
    })
    expect(made.accounts.map(({ account }) => account)).toEqual(['full', 'viewer'])
    expect(id).not.toBe(real.id)
    expect(await rows('member')).toBe(practiceMemberCount)
    expect(await rows('coupon')).toBeGreaterThan(practiceMemberCount)
    expect(await rows('point_lot')).toBeGreaterThan(practiceMemberCount)
    const found = await ok(real, getOneCustomer, { cardNumber: '9900000010001' }, { token })
    expect(found).toMatchObject({ memberCode: 'P10001' })
    expect(await real.database.reading(id, (tx) => findViolations(tx, id))).toEqual([])
  })

  test('shares nothing with the real company', async () => {
    expect(await rows('member', real.id)).toBe(0)
    expect(await rows('outbox', real.id)).toBe(0)
    expect(await rows('staff', real.id)).toBe(4)
    const words = ['company', 'export', made.identifier]
    const { stdout } = await tillside(...words)
    expect(stdout).toContain('PRACTICE · ')
    expect(stdout).not.toContain('erp.example.com')
  })

  test.each([
    [
      'twice',
      () => real.identifier,
      /^the identifier "\S+-practice" is in use; nothing was changed/,
    ],
    ['of a practice company', () => made.identifier, /is a practice company itself/],
    ['of no company', () => 'nobody', /^there is no company "nobody"/],
  ])('is refused %s, and changes nothing', async (_, identifier, message) => {
    const before = [await rows('company_revision'), await rows('member'), await rows('staff')]
    const { code, stdout, stderr } = await tillside('company', 'practice', identifier())
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect([await rows('company_revision'), await rows('member'), await rows('staff')]).toEqual(
      before,
    )
  })

  test('two commands at once create one company', async () => {
    const company = await testCompany()
    const answers = await Promise.allSettled(
      [1, 2].map(() => createPractice(company.database, company.id)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = answers.find((answer) => answer.status === 'rejected')
    expect(String(lost?.reason)).toMatch(/is in use; nothing was changed/)
    await company.close()
  })

  offCluster('A trigger refuses the change, and a cluster has none.')(
    'a company is never practice by a change',
    async () => {
      const sql = 'update company set practice = not practice where company_id = $1'
      for (const one of [real.id, id]) {
        const change = real.database.transaction(one, (tx) => write(tx, sql, one))
        await expect(change).rejects.toThrow('cannot become a practice company')
      }
    },
  )

  test('only a practice company can be emptied, and not by the program', async () => {
    const empty = statement('call empty_practice($1)', z.unknown())
    for (const [from, named] of [
      [real.id, real.id],
      // From inside the practice company, the real one is behind the wall.
      [id, real.id],
    ] as const) {
      const wrong = owner.transaction(from, (tx) => tx.run(empty, [named]))
      await expect(wrong).rejects.toThrow('only a practice company can be emptied')
    }
    // The program's own role can delete no entry of a ledger, here neither.
    const asProgram = real.database.transaction(id, (tx) => tx.run(empty, [id]))
    await expect(asProgram).rejects.toThrow('permission denied')
  })
})

test('the theme says that the company is for practising', async () => {
  const themes = await Promise.all(
    [made.identifier, real.identifier].map((xcrmIdentifier) =>
      ok(real, getCustomTheme, { xcrmIdentifier }, {}),
    ),
  )
  expect(themes.map(({ practice }) => practice)).toEqual([true, false])
  expect(themes[0]?.theme.color).not.toBe(themes[1]?.theme.color)
})

describe('nothing leaves a practice company', () => {
  test('the reset sends no event, also with a webhook that an operator adds', async () => {
    await real.database.transaction(id, async (tx) => {
      await write(
        tx,
        `insert into webhook (company_id, webhook_id, url, secret_variable, events)
         values ($1, 'LATER', 'https://erp.example.com', 'WEBHOOK_SECRET', '{member.created}')
         on conflict do nothing`,
      )
    })
    expect(await reset()).toMatchObject({ done: practiceMemberCount, outcome: 'finished' })
    expect([await rows('outbox'), await rows('message')]).toEqual([0, 0])
  })

  test('no message: the code is always 123456', async () => {
    const number = testMobile()
    expect(await call(real, sendMobileCaptcha, number, { token })).toMatchObject({ code: 0 })
    expect(await rows('message')).toBe(0)
    const answer = await call(
      real,
      validateMobileCaptcha,
      { ...number, captcha: '123456' },
      { token },
    )
    expect(answer.code).toBe(0)
  })
})

describe('the nightly reset', () => {
  const kept = new Set(
    `api_key access_link audit company company_address company_revision coupon_definition gift job
     login_address login_device login_throttle member_name_walk search_history_key session
     session_epoch staff staff_group stock store tier webhook`.split(/\s+/),
  )

  test('empties every table that is not a part of the company itself', async () => {
    const names = await real.database.transaction(id, (tx) =>
      tx.all(
        statement(
          `select table_name as name from information_schema.columns
           where column_name = 'company_id' and table_schema = 'public'
             and table_name in (select tablename from pg_tables where schemaname = 'public')`,
          z.object({ name: z.string() }),
        ),
        [],
      ),
    )
    const wanted = names.map(({ name }) => name).filter((name) => !kept.has(name))
    const [{ source } = { source: '' }] = await real.database.transaction(id, (tx) =>
      tx.all(
        statement(
          `select pg_get_functiondef('empty_practice'::regproc) as source`,
          z.object({ source: z.string() }),
        ),
        [],
      ),
    )
    expect(wanted.filter((name) => !source.includes(`'${name}'`))).toEqual([])
  })

  test('makes the same members again, and keeps accounts and sessions', async () => {
    const before = [await rows('point_entry'), await rows('coupon'), await rows('staff')]
    await real.database.transaction(id, (tx) =>
      write(tx, `update member set last_name = 'Changed' where company_id = $1`),
    )
    const find = () => ok(real, getOneCustomer, { cardNumber: '9900000010001' }, { token })
    const [audited, { memberCode }, first] = [await rows('audit'), await find(), await epoch()]
    await expect.poll(() => rows('audit')).toBeGreaterThan(audited) // written after the answer
    expect(await reset()).toEqual({ done: practiceMemberCount, outcome: 'finished' })
    await ok(real, membershipInfo, { memberCode }, { token })
    expect(await epoch()).not.toBe(first)
    expect((await find()).lastName).not.toBe('Changed')
    expect([await rows('point_entry'), await rows('coupon'), await rows('staff')]).toEqual(before)
    expect(await real.database.reading(id, (tx) => findViolations(tx, id))).toEqual([])
  })

  test('runs once a night, after 3 in the company’s time', async () => {
    await last('25 hours')
    expect(await runDue()).toMatchObject({ done: practiceMemberCount })
    expect(await runDue()).toMatchObject({ outcome: 'notDue' })
    // The same night: the time since 3 o'clock is taken from the database.
    const since = await read(
      `select extract(
         epoch from (now() at time zone time_zone - interval '3 hours')::time)::int as n
       from company where company_id = $1`,
    )
    if (since > 1900) {
      await last('31 minutes')
      expect(await runDue()).toEqual({ done: 0, outcome: 'finished' })
    }
    await last(`${since + 60} seconds`)
    if (since > 1800) expect(await runDue()).toMatchObject({ done: practiceMemberCount })
  })

  test('a killed process leaves the day before, and the next run ends well', async () => {
    const before = await rows('point_entry')
    const killed = owner.transaction(id, async (tx) => {
      await refillPractice(tx, id)
      // The server ends the connection as it does when the process dies.
      await tx.one(statement('select pg_terminate_backend(pg_backend_pid())', z.unknown()), [])
    })
    await expect(killed).rejects.toThrow()
    expect(await rows('point_entry')).toBe(before)
    expect(await reset()).toEqual({ done: practiceMemberCount, outcome: 'finished' })
    expect(await rows('point_entry')).toBe(before)
  })

  test('leaves real companies alone', async () => {
    expect(await runJob(owner, real.id, practiceJob, log, { now: true })).toEqual({
      done: 0,
      outcome: 'finished',
    })
  })
})

// The last test, because the key is a row of the practice company.
test('has API keys that say so and see nothing of the real company', async () => {
  const { key } = await testKey({ database: real.database, id }, { stores: null })
  expect(key).toMatch(/^tillside_test_[\w-]{64}$/)
  const listed = await callWithKey(real, listMembers, { limit: 1 }, key)
  expect(listed.status).toBe(200)
  const theirs = await testMember(real)
  const found = await callWithKey(real, findMember, { memberCode: theirs.memberCode }, key)
  expect(found).toMatchObject({ status: 404, code: 'memberUnknown' })
  const { key: live } = await testKey(real)
  expect(live).toMatch(/^tillside_(?!test_)/)
})
