import { randomUUID } from 'node:crypto'
import { logout } from '@tillside/contract/auth'
import { issueCoupon } from '@tillside/contract/coupon'
import { getOneCustomer, updateCustomer } from '@tillside/contract/member'
import { pointHistory, previewPoints, redeemPoints } from '@tillside/contract/points'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type WithStandby, startWithStandby } from '../testing/servers/standby.ts'
import { type RecordedDatabase, recordStatements } from '../testing/recorded-statements.ts'
import { openDatabase } from './database.ts'
import { followReplica, type Replica } from './replica.ts'

// A server with a standby: look-ups are read from the standby unless the caller could notice.
let servers: WithStandby
let company: TestCompany
let here: RecordedDatabase
let copy: RecordedDatabase
let replica: Replica
let standby: pg.Client
const reports: string[] = []
/** The paths of changes, each with whether it took one round trip. */
const atOnce: [path: string, isAnswered: boolean][] = []
const countAtOnce = (...counted: (typeof atOnce)[number]) => atOnce.push(counted)

beforeAll(async () => {
  servers = await startWithStandby()
  company = await testCompany({}, servers.program.primary)
  here = recordStatements(company.database)
  copy = recordStatements(openDatabase(servers.program.standby(), 4, true, true))
  replica = followReplica(copy.database, company.database, (event) => reports.push(event))
  const log = pino({ level: 'silent' })
  company = { ...company, app: await createApp(here.database, log, { replica, countAtOnce }) }
  standby = await owner(servers.owner.standby())
}, 120_000)
afterAll(async () => {
  await standby.end().catch(() => {})
  await replica.close()
  await company.close()
  await servers.close()
})
beforeEach(async () => {
  await until(() => replica.fresh())
  here.asked.length = 0
  copy.asked.length = 0
})

async function owner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((wake) => setTimeout(wake, 20))
}
/** Look-ups of a member by key since the test began. */
const lookedAt = () => ({
  standby: copy.asked.filter((text) => text.includes('from find_member(')).length,
  database: here.asked.filter((text) => text.includes('from find_member(')).length,
})
/**
 * Whether a look-up was answered by the standby alone. On a busy machine the standby may not be
 * fresh at that moment.
 */
async function fromStandby(memberCode: string, token: string): Promise<boolean> {
  for (const { asked } of [here, copy]) asked.length = 0
  expect((await lookUp(memberCode, token)).memberCode).toBe(memberCode)
  const { standby: there, database } = lookedAt()
  return there === 1 && database === 0
}
const lookUp = (memberCode: string, token: string) =>
  ok(company, getOneCustomer, { code: memberCode }, { token })

test('a look-up is read from the standby, and its session from the database itself', async () => {
  const member = await testMember(company)
  const token = await logIn(company, 'ben')
  await until(() => followed())
  await until(() => fromStandby(member.memberCode, token))
  expect(here.asked.some((text) => text.includes('from session'))).toBe(true)
  expect(copy.asked.some((text) => text.includes('from session'))).toBe(false)
})

test('a decision about points is never read from the standby', async () => {
  const member = await testMember(company)
  await givePoints(company, member, 100)
  const { memberCode } = member
  const token = await logIn(company, 'ben')
  await until(() => followed())
  copy.asked.length = 0
  await call(
    company,
    previewPoints,
    { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 },
    { token },
  )
  expect(copy.asked.filter((text) => !text.includes('wal'))).toEqual([])
})

test('the author of a change sees it at once, and the others a moment later', async () => {
  const { memberCode } = await testMember(company)
  const token = await logIn(company)
  const { version } = await lookUp(memberCode, token)
  const changes = { memberCode, version, changes: { firstName: 'May' } }
  await until(() => followed())
  // From here on the standby replays nothing, but counts as fresh for a moment.
  await standby.query('select pg_wal_replay_pause()')
  try {
    await ok(company, updateCustomer, changes, { token })
    copy.asked.length = 0
    expect((await lookUp(memberCode, token)).firstName).toBe('May')
    // When it is no longer fresh, stale data is no longer answered.
    await until(() => !replica.fresh())
    expect((await lookUp(memberCode, await logIn(company, 'ben'))).firstName).toBe('May')
  } finally {
    await standby.query('select pg_wal_replay_resume()')
  }
})

test('a change takes one round trip, and its author sees it before the standby', async () => {
  const member = await testMember(company)
  await givePoints(company, member, 1000)
  const { memberCode } = member
  const token = await logIn(company)
  const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
  const spend = () => ok(company, redeemPoints, gift, { token })
  // The holder of a session is known after its first change.
  await spend()
  await until(() => followed())
  await standby.query('select pg_wal_replay_pause()')
  try {
    atOnce.length = 0
    const { balance } = await spend()
    const { totals } = await ok(company, pointHistory, { memberCode }, { token })
    expect(totals.balance).toBe(balance)
    await until(() => !replica.fresh())
    await spend()
    expect(atOnce).toEqual([
      [redeemPoints.path, true],
      [redeemPoints.path, true],
    ])
    await ok(company, logout, {}, { token })
    expect((await call(company, redeemPoints, gift, { token })).status).toBe(401)
  } finally {
    await standby.query('select pg_wal_replay_resume()')
  }
})

test('a member that the standby does not have is looked for in the database', async () => {
  const token = await logIn(company, 'ben')
  await standby.query('select pg_wal_replay_pause()')
  try {
    const { memberCode } = await testMember(company)
    expect((await lookUp(memberCode, token)).memberCode).toBe(memberCode)
  } finally {
    await standby.query('select pg_wal_replay_resume()')
  }
})

test('a logged-out session is refused, also when the standby still has it', async () => {
  const { memberCode } = await testMember(company)
  const token = await logIn(company, 'ben')
  await until(() => followed())
  await standby.query('select pg_wal_replay_pause()')
  try {
    await ok(company, logout, {}, { token })
    expect((await call(company, getOneCustomer, { code: memberCode }, { token })).status).toBe(401)
  } finally {
    await standby.query('select pg_wal_replay_resume()')
  }
})

test(
  'look-ups go on without the standby, and use it again when it is back',
  { timeout: 120_000 },
  async () => {
    const member = await testMember(company)
    const { memberCode } = member
    const token = await logIn(company, 'ben')
    let working = { on: true }
    let answered = 0
    const clerk = (async () => {
      while (working.on) {
        expect((await lookUp(memberCode, token)).memberCode).toBe(memberCode)
        answered += 1
      }
    })()
    await servers.stopStandby()
    await until(() => !replica.fresh())
    const without = answered
    await until(() => answered > without + 20)
    // The clerks notice nothing, but the log reports it.
    await until(() => reports.at(-1) === 'not used')
    await servers.startStandby()
    await until(() => replica.fresh())
    expect(reports.slice(-3)).toEqual(['used', 'not used', 'used'])
    working.on = false
    await clerk
    await until(() => fromStandby(memberCode, token))
    const issued = { memberCode, couponId: 'TREAT', quantity: 1 }
    await ok(company, issueCoupon, issued, { token: await logIn(company) })
  },
)

/** Whether the standby has replayed everything. It may have been started again. */
async function followed(): Promise<boolean> {
  const [database, follower] = [
    await owner(servers.owner.primary),
    await owner(servers.owner.standby()),
  ]
  try {
    const flushed = 'select pg_current_wal_flush_lsn() as lsn'
    const { rows } = await database.query<{ lsn: string }>(flushed)
    const sql = 'select pg_last_wal_replay_lsn() >= $1 as done'
    return (await follower.query<{ done: boolean }>(sql, [rows[0]?.lsn])).rows[0]?.done === true
  } finally {
    await Promise.all([database.end(), follower.end()])
  }
}

test('a change that reaches a standby is refused as unavailable, and changes nothing', async () => {
  // As after a failover, while an address still leads to the former leader.
  const former = openDatabase(servers.program.standby(), 2)
  const app = await createApp(former, pino({ level: 'silent' }))
  const token = await logIn(company)
  const { memberCode } = await testMember(company)
  const input = { memberCode, couponId: 'TREAT', quantity: 1 }
  const [key, of] = [randomUUID(), { token }]
  await until(() => followed())
  for (let n = 0; n < 3; n++) {
    const answer = await call({ ...company, app }, issueCoupon, input, { ...of, key })
    expect(answer).toMatchObject({ status: 503, data: { unchanged: true } })
  }
  expect((await call(company, issueCoupon, input, { ...of, key })).code).toBe(0)
  await app.close()
  await former.close()
})
