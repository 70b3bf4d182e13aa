import { logout } from '@tillside/contract/auth'
import { getPermission } from '@tillside/contract/company'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { previewPoints } from '@tillside/contract/points'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createApp } from '../app.ts'
import type { Transaction } from '../database/database.ts'
import { changePermission } from '../setup/permissions.ts'
import { setStoreActive } from '../setup/stores.ts'
import {
  call,
  logIn,
  ok,
  testCompany,
  type TestCompany,
  shortcuts,
} from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { setDisabled, setPassword } from './accounts.ts'
import { type CallerSource, openSessions } from './held.ts'
import { moveStaff, promoteStaff } from './roster/move.ts'
import { findSession } from './session.ts'
import { readToken } from './token.ts'

// Two processes on one database, each with a memory of its own. The owner changes rows as a command
// does, or the release before this one.
let company: TestCompany
let memberCode: string
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
let apps: { app: TestCompany['app']; sources: CallerSource[] }[]
beforeAll(async () => {
  await owner.connect()
  company = await testCompany()
  ;({ memberCode } = await testMember(company))
  apps = await Promise.all(
    [0, 1].map(async () => {
      const sources: CallerSource[] = []
      const log = pino({ level: 'silent' })
      const countCaller = (source: CallerSource) => sources.push(source)
      const settings = { ...shortcuts, remembersSessions: true, countCaller }
      return { app: await createApp(company.database, log, settings), sources }
    }),
  )
})
afterAll(async () => {
  await Promise.all(apps.map(({ app }) => app.close()))
  await owner.end()
  await company.close()
})
beforeEach(() => apps.forEach(({ sources }) => sources.splice(0)))

const look = (n: number, token: string) =>
  call(apps[n] ?? company, getOneCustomer, { code: memberCode }, { token })
const change = <T>(work: (tx: Transaction) => Promise<T>) =>
  company.database.transaction(company.id, work)
const sql = (text: string, values: unknown[] = []) => owner.query(text, [company.id, ...values])
let clerks = 0

/** A new clerk whom both processes remember. */
async function remembered(): Promise<{ account: string; token: string }> {
  const account = `clerk${(clerks += 1)}`
  await testClerk(company, account, { groupCode: 'full', storeCode: 'S2' })
  const token = await logIn(company, account)
  for (const n of [0, 1, 0, 1]) expect((await look(n, token)).code).toBe(0)
  return { account, token }
}

describe('a remembered session', () => {
  test('is confirmed by each request, and read once by each process', async () => {
    const { token } = await remembered()
    await look(0, token)
    expect(apps.map(({ sources }) => sources)).toEqual([
      ['database', 'memory', 'memory'],
      ['database', 'memory'],
    ])
  })

  test('is confirmed by changes, by verbs that need the time, and before bad input', async () => {
    const { token } = await remembered()
    const [{ sources } = { sources: [] }] = apps
    sources.splice(0)
    await ok(apps[0] ?? company, getPermission, {}, { token })
    await call(apps[0] ?? company, previewPoints, { memberCode, points: 1 }, { token })
    await call(apps[0] ?? company, membershipInfo, {}, { token })
    expect(sources).toEqual(['memory', 'memory', 'memory'])
  })

  test('is read in full where the process remembers none', async () => {
    const sources: CallerSource[] = []
    const countCaller = (source: CallerSource) => sources.push(source)
    const settings = { countCaller, remembersSessions: false }
    const app = await createApp(company.database, pino({ level: 'silent' }), settings)
    const token = await logIn(company)
    for (const _ of [1, 2]) await ok({ app }, getOneCustomer, { code: memberCode }, { token })
    expect(sources).toEqual(['database', 'database'])
    await app.close()
  })

  test.each<[string, (token: string) => Promise<unknown>, { status?: number; code?: number }]>([
    ['a logout', (token) => ok(company, logout, {}, { token }), { status: 401 }],
    [
      'an expired session',
      (token) =>
        sql('update session set expires_at = now() where company_id = $1 and token_hash = $2', [
          readToken(`Bearer ${token}`)?.hash,
        ]),
      { status: 401 },
    ],
    [
      'a deleted session',
      (token) =>
        sql('delete from session where company_id = $1 and token_hash = $2', [
          readToken(`Bearer ${token}`)?.hash,
        ]),
      { status: 401 },
    ],
  ])('%s ends it on every process', async (_name, end, expected) => {
    const { token } = await remembered()
    await end(token)
    for (const n of [0, 1]) expect(await look(n, token)).toMatchObject(expected)
  })

  test.each<[string, (account: string, tx: Transaction) => Promise<unknown>]>([
    ['a disabled account', (account, tx) => setDisabled(tx, company.id, account, true)],
    ['another password', (account, tx) => setPassword(tx, company.id, account, 'no hash')],
    ['another store', (account, tx) => moveStaff(tx, company.id, account, 'S1')],
    ['a closed store', (_account, tx) => setStoreActive(tx, company.id, 'S2', false)],
  ])('%s ends it on every process', async (_name, end) => {
    const { account, token } = await remembered()
    await change((tx) => end(account, tx))
    for (const n of [0, 1]) expect((await look(n, token)).status).toBe(401)
    await change((tx) => setStoreActive(tx, company.id, 'S2', true))
  })

  test.each<[string, string]>([
    ['a disabled account', 'update staff set disabled_at = now() where company_id = $1'],
    ['a closed store', 'update store set active = false where company_id = $1'],
  ])('%s alone ends it too', async (_name, text) => {
    const { token } = await remembered()
    await sql(text)
    for (const n of [0, 1]) expect((await look(n, token)).status).toBe(401)
    await sql('update staff set disabled_at = null where company_id = $1')
    await sql('update store set active = true where company_id = $1')
  })

  test.each<[string, (account: string, tx: Transaction) => Promise<unknown>]>([
    ['another group', (account, tx) => promoteStaff(tx, company.id, account, 'viewer')],
    ['a revoked permission', (_, tx) => changePermission(tx, company.id, 'full', 'coupon', false)],
  ])('%s is effective with the next request', async (_name, revoke) => {
    const { account, token } = await remembered()
    const list = (n: number) => call(apps[n] ?? company, membershipInfo, { memberCode }, { token })
    const before = [await list(0), await list(1)]
    await change((tx) => revoke(account, tx))
    const after = [await list(0), await list(1)]
    expect(after).not.toEqual(before)
    expect(after[0]).toEqual(await call(company, membershipInfo, { memberCode }, { token }))
    expect(after[1]).toEqual(after[0])
    await change((tx) => changePermission(tx, company.id, 'full', 'coupon', true))
  })

  test('has the company’s day of each request', async () => {
    const { token } = await remembered()
    const bearer = readToken(`Bearer ${token}`)
    if (bearer === null) throw new Error('no token')
    const sessions = openSessions(true)
    const ask = () => change((tx) => sessions.authenticate(tx, bearer))
    const first = await ask()
    // A day of the company's calendar has begun since.
    await sql(`update company set time_zone = 'Pacific/Kiritimati' where company_id = $1`)
    const second = await ask()
    const third = await ask()
    expect(second?.company.timeZone).toBe('Pacific/Kiritimati')
    expect(third).toEqual({ ...second, now: third?.now })
    await sql(`update company set time_zone = $2 where company_id = $1`, [first?.company.timeZone])
  })

  test('answers nothing after the answer to the logout, under load', async () => {
    for (let round = 0; round < 5; round++) {
      const { token } = await remembered()
      let isOut = false
      const late: number[] = []
      const loops = [0, 1, 0, 1].map(async (n) => {
        for (let after = 0; after < 5;) {
          const wasOut = isOut
          const { status } = await look(n, token)
          if (wasOut) after = late.push(status)
        }
      })
      await look(0, token)
      await ok(company, logout, {}, { token }).finally(() => {
        isOut = true
      })
      await Promise.all(loops)
      expect(new Set(late)).toEqual(new Set([401]))
    }
  })
})

async function epochAfter(text: string): Promise<string> {
  await owner.query('begin')
  await sql(text)
  // Triggers that are deferred to the commit.
  await owner.query('set constraints all immediate')
  const { rows } = await sql('select epoch from session_epoch where company_id = $1')
  await owner.query('rollback')
  return String(rows[0]?.epoch)
}

describe('the epoch', () => {
  const tables: Record<string, string> = { c: 'company', s: 'staff', st: 'store', g: 'staff_group' }
  const columns = Array.from(
    findSession.text.matchAll(/\b(c|s|st|g)\.(\w+)/g),
    ([, a = '', name]) => [tables[a] ?? '', name ?? ''],
  ).filter(([, name]) => !name?.endsWith('_id'))

  test('is asked for columns of four tables', () => {
    expect(new Set(columns.map(([table]) => table))).toEqual(new Set(Object.values(tables)))
    expect(columns.length).toBeGreaterThan(12)
  })

  test.each(columns)('changes with %s.%s', async (table, column) => {
    const before = await epochAfter('select $1::uuid')
    const text = `update ${table} set ${column} = ${column} where company_id = $1`
    expect(await epochAfter(text)).not.toBe(before)
  })

  test('does not change with logins, logouts and passwords', async () => {
    const { account, token } = await remembered()
    const before = await epochAfter('select $1::uuid')
    const other = await logIn(company, account)
    await ok(company, logout, {}, { token: other })
    await change((tx) => setPassword(tx, company.id, account, 'no hash'))
    expect(await epochAfter('select $1::uuid')).toBe(before)
    expect((await look(0, token)).status).toBe(401)
  })

  test('is written once by a transaction of many rows', async () => {
    // The counts of a connection include those of its earlier transactions.
    const fresh = new pg.Client({ connectionString: inject('ownerUrl') })
    await fresh.connect()
    await fresh.query('begin')
    for (const [table, column] of [
      ['staff', 'first_name'],
      ['store', 'name'],
    ]) {
      const text = `update ${table} set ${column} = ${column} where company_id = $1`
      expect((await fresh.query(text, [company.id])).rowCount).toBeGreaterThan(1)
    }
    await fresh.query('set constraints all immediate')
    const { rows } = await fresh.query(
      `select n_tup_ins + n_tup_upd as written from pg_stat_xact_user_tables
       where relname = 'session_epoch'`,
    )
    await fresh.end()
    expect(rows).toEqual([{ written: '1' }])
  })

  test('changes of two transactions do not wait for each other before their commits', async () => {
    const other = new pg.Client({ connectionString: inject('ownerUrl') })
    await other.connect()
    await Promise.all([owner.query('begin'), other.query('begin')])
    await sql('update store set name = name where company_id = $1')
    await other.query(`update staff set first_name = first_name where company_id = $1`, [
      company.id,
    ])
    await Promise.all([owner.query('commit'), other.query('commit')])
    await other.end()
  })
})
