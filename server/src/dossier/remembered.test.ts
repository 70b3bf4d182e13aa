import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { readMember } from '@tillside/contract/integration/members'
import {
  getOneCustomer,
  listConsents,
  membershipInfo,
  updateCustomer,
} from '@tillside/contract/member'
import { redeemPoints } from '@tillside/contract/points'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { openDatabase, statement, type Transaction } from '../database/database.ts'
import { codeKey } from '../member/key.ts'
import { mergeMembers } from '../merge/merge.ts'
import { unmergeMember } from '../merge/unmerge.ts'
import { countBursts } from '../testing/bursts.ts'
import { tillside } from '../testing/command.ts'
import { waitersOf } from '../testing/cluster/lane.ts'
import { isOnCluster, offCluster } from '../testing/cluster/off-cluster.ts'
import {
  call,
  type CallOptions,
  shortcuts,
  takesOneRoundTrip,
} from '../testing/factories/company.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { author, type Known, testMergeShop } from '../testing/merge-shop.ts'
import { erase } from './erase.ts'

// Two processes on one database, each with a memory of its own, and one without a memory, whose
// answers are right.

const { counted, restore } = countBursts()
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
let t: Awaited<ReturnType<typeof testMergeShop>>
let apps: (typeof t.shop.app)[]
let right: typeof t.shop.app
beforeAll(async () => {
  t = await testMergeShop()
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [t.shop.id])
  const log = pino({ level: 'silent' })
  const open = (remembersSessions: boolean) =>
    createApp(t.shop.database, log, { ...shortcuts, remembersSessions })
  apps = await Promise.all([open(true), open(true)])
  right = await open(false)
})
afterAll(async () => {
  restore()
  expect(await t.shop.violations()).toEqual([])
  await Promise.all([...apps, right].map((app) => app.close()))
  await owner.end()
  await t.shop.close()
})

const appOf = (n: number) => ({ app: apps[n] ?? right })
const options = (): CallOptions => ({ token: t.token })
const homeIn = (app: typeof right, memberCode: string) =>
  call({ app }, membershipInfo, { memberCode }, options())
const home = (n: number, { memberCode }: Pick<Known, 'memberCode'>) =>
  counted(() => homeIn(appOf(n).app, memberCode))
/** Makes both processes remember the members, and the session. */
async function remember(...members: readonly Known[]) {
  for (const member of members) for (const n of [0, 1, 0, 1]) await home(n, member)
  for (const member of members) {
    for (const n of [0, 1]) expect((await home(n, member)).bursts).toBe(1)
  }
}
/** Each process answers about the members as the one without a memory does. */
async function expectRight(...members: readonly Known[]) {
  for (const member of members) {
    const answer = await homeIn(right, member.memberCode)
    // The second request of a process takes what the first one has remembered.
    for (const n of [0, 1, 0, 1]) expect((await home(n, member)).answer).toEqual(answer)
  }
}
const balance = async (member: Known) => {
  const { data } = await homeIn(right, member.memberCode)
  return membershipInfo.data.parse(data).points?.balance
}
const readEpoch = statement(
  'select epoch::text from session_epoch where company_id = $1',
  z.object({ epoch: z.string() }),
)
const epoch = async () => {
  const read = (tx: Transaction) => tx.one(readEpoch, [t.shop.id])
  return (await t.shop.database.reading(t.shop.id, read)).epoch
}
const unknown = { status: 200, code: 111102 }

describe('a remembered member', () => {
  test('is found once by each process', async () => {
    const [member] = await t.two()
    await remember(...(await t.two()))
    const bursts = []
    for (const n of [0, 0, 1, 1, 0]) bursts.push((await home(n, member)).bursts)
    expect(bursts).toEqual([2, 1, 2, 1, 1])
  })

  test('is known after a look-up by another key, however the code is typed', async () => {
    await remember(...(await t.two()))
    const member = await testMember(t.shop, { email: 'known@example.com' })
    const { memberCode } = member
    const input = { email: 'known@example.com' }
    expect((await call(appOf(0), getOneCustomer, input, options())).code).toBe(0)
    for (const typed of [memberCode, ` ${memberCode.toLowerCase()}`]) {
      expect(await home(0, { memberCode: typed })).toMatchObject({ answer: { code: 0 }, bursts: 1 })
    }
  })

  test('is found by its code as soon as it exists', async () => {
    await remember(...(await t.two()))
    const memberCode = 'SOON1'
    for (const n of [0, 1, 0]) {
      expect(await home(n, { memberCode })).toMatchObject({ answer: unknown, bursts: 1 })
    }
    const member = await testMember(t.shop, { memberCode })
    await expectRight(member)
    await remember(member)
  })

  test('is the survivor after a merge, and itself again after its undo', async () => {
    const [survivor, merged] = await t.two()
    await givePoints(t.shop, survivor, 500)
    await givePoints(t.shop, merged, 70)
    await remember(survivor, merged)
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    await expectRight(merged, survivor)
    expect(await balance(merged)).toBe(570)
    await remember(survivor, merged)
    expect(await t.unmerge(merged)).toMatchObject({ code: 0 })
    await expectRight(merged, survivor)
    expect(await balance(merged)).toBe(70)
  })

  test('spends the survivor’s points right after a merge', async () => {
    const [survivor, merged] = await t.two()
    await givePoints(t.shop, survivor, 500)
    await givePoints(t.shop, merged, 70)
    await remember(survivor, merged)
    const spend = async (n: number, points: number) => {
      const input = { memberCode: merged.memberCode, kind: 'transaction', points }
      const { code, data } = await call(appOf(n), redeemPoints, input, options())
      return code === 0 ? redeemPoints.data.parse(data).balance : code
    }
    expect([await spend(0, 10), await spend(1, 10)]).toEqual([60, 50])
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    expect([await spend(0, 100), await spend(1, 100), await spend(0, 50)]).toEqual([450, 350, 300])
    expect(await balance(survivor)).toBe(300)
  })

  test('pays in one round trip, after the one that finds it', async () => {
    const [member] = await t.two()
    await givePoints(t.shop, member, 100)
    await remember(...(await t.two()))
    const input = { memberCode: member.memberCode, kind: 'transaction', points: 10 }
    const spend = () => counted(() => call(appOf(0), redeemPoints, input, options()))
    expect((await spend()).answer.code).toBe(0)
    const found = await spend()
    expect([found.answer.code, found.bursts]).toEqual([0, takesOneRoundTrip ? 1 : 4])
    const other = await counted(() => call(appOf(1), redeemPoints, input, options()))
    expect([other.answer.code, other.bursts]).toEqual([0, takesOneRoundTrip ? 2 : 4])
  })

  const waits = offCluster('Its transaction is not repeated if the cluster ends it as a deadlock.')
  waits('is found again by a change of the profile that waited for a merge', async () => {
    const [survivor, merged] = await t.two()
    const give = async (id: string) => {
      await owner.query(
        'update member_key set member_id = $2 where company_id = $1 and kind = $3 and value = $4',
        [t.shop.id, id, 'code', codeKey(merged.memberCode)],
      )
    }
    await owner.query('begin')
    const waiters = await waitersOf(owner)
    const lock = 'select from member where company_id = $1 and member_id = $2 for update'
    await owner.query(lock, [t.shop.id, merged.id])
    const changes = { email: 'late@example.com' }
    const input = { memberCode: merged.memberCode, version: 1, changes }
    const changing = call(appOf(0), updateCustomer, input, options())
    await expect.poll(waiters).toBe(1)
    await give(survivor.id)
    await owner.query('commit')
    const { data } = await changing
    expect(data).toMatchObject({ memberCode: survivor.memberCode, email: changes.email })
    await give(merged.id)
  })

  test('is unknown after its erasure', async () => {
    const [member] = await t.two()
    await remember(member)
    const words = ['member', 'erase', t.shop.identifier, member.memberCode, ...author, '--yes']
    expect(await tillside(...words)).toMatchObject({ code: 0 })
    for (const n of [0, 1, 0, 1]) expect((await home(n, member)).answer).toMatchObject(unknown)
  })

  test('of an API key is found by the same rules', async () => {
    const [survivor, merged] = await t.two()
    const { key } = await testKey(t.shop)
    const { memberCode } = merged
    const points = (n: number) =>
      counted(() => callWithKey(appOf(n), integrationEndpoints.readPoints, { memberCode }, key))
    await givePoints(t.shop, survivor, 500)
    for (const n of [0, 1, 0, 1]) await points(n)
    expect(await points(0)).toMatchObject({ answer: { data: { balance: 0 } }, bursts: 1 })
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    for (const n of [0, 1, 0, 1]) {
      expect((await points(n)).answer.data).toMatchObject({ balance: 500 })
    }
    expect(await t.unmerge(merged)).toMatchObject({ code: 0 })
    for (const n of [0, 1, 0, 1]) {
      expect((await points(n)).answer.data).toMatchObject({ balance: 0 })
    }
  })

  test.each([
    ['home', membershipInfo],
    ['consents', listConsents],
  ])('that the database has lost is not answered: %s', async (_name, endpoint) => {
    const member = await testMember(t.shop)
    const { memberCode } = member
    await remember(member)
    await lose(member)
    const ask = (n: number) => call(appOf(n), endpoint, { memberCode }, options())
    expect(await ask(0)).toMatchObject(unknown)
    await testMember(t.shop, { memberCode })
    for (const n of [0, 1]) expect((await ask(n)).code).toBe(0)
  })
})

test('a member whom the database has lost is found again by an API key', async () => {
  const { key } = await testKey(t.shop)
  const member = await testMember(t.shop)
  const { memberCode } = member
  const ask = (n: number) => callWithKey(appOf(n), readMember, { memberCode }, key)
  for (const n of [0, 1, 0, 1]) expect((await ask(n)).code).toBe(0)
  await lose(member)
  expect((await ask(0)).code).toBe('memberUnknown')
  await testMember(t.shop, { memberCode })
  for (const n of [0, 1]) expect((await ask(n)).code).toBe(0)
})

/** The statements that `work` sends with its commit. */
async function sentAtCommit(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const database = openDatabase(inject('ownerUrl'), 1)
  await database.transaction(t.shop.id, (tx) =>
    work({ ...tx, atCommit: (s, values) => (texts.push(s.text), tx.atCommit(s, values)) }),
  )
  await database.close()
  return texts
}

/** As after a restore, or when a standby without the last commits takes over. */
async function lose({ id }: Known) {
  const before = await epoch()
  const tables = 'member_key member_name_key member_tier consent point_account member'
  for (const table of tables.split(' ')) {
    await owner.query(`delete from ${table} where company_id = $1 and member_id = $2`, [
      t.shop.id,
      id,
    ])
  }
  // On one PostgreSQL a trigger has changed it.
  expect((await epoch()) === before).toBe(isOnCluster)
  const back = 'update session_epoch set epoch = $2 where company_id = $1'
  await owner.query(back, [t.shop.id, before])
}

describe('the epoch', () => {
  test('is changed by the program too, for a cluster has no triggers', async () => {
    const [{ memberCode: one }, { memberCode: two }] = await t.two()
    const change = 'select change_epoch($1)'
    const { id } = t.shop
    expect(await sentAtCommit((tx) => mergeMembers(tx, id, one, two))).toContain(change)
    expect(await sentAtCommit((tx) => unmergeMember(tx, id, two))).toContain(change)
    expect(await sentAtCommit((tx) => erase(tx, { id }, two))).toContain(change)
  })

  offCluster('A trigger changes it, and a cluster has none.')(
    'changes with a code that gets another member or none, and with no other key',
    async () => {
      const [{ id }] = await t.two({ email: `epoch@example.com` })
      const of = 'company_id = $1 and member_id = $2'
      const after = (text: string) => owner.query(text, [t.shop.id, id]).then(epoch)
      const first = await epoch()
      const others = `update member_key set value = value where ${of} and kind <> 'code'`
      expect(await after(others)).toBe(first)
      expect(await after(`delete from member_key where ${of} and kind = 'email'`)).toBe(first)
      const codes = `update member_key set value = value where ${of} and kind = 'code'`
      expect(await after(codes)).not.toBe(first)
    },
  )
})
