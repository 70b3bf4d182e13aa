import { type IntegrationEndpoint, storeHeader } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { findMember, readMember } from '@tillside/contract/integration/members'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createApp } from '../app.ts'
import { setStoreActive } from '../setup/stores.ts'
import type { CallerSource } from '../staff/held.ts'
import { countBursts } from '../testing/bursts.ts'
import { testCompany, type TestCompany, shortcuts } from '../testing/factories/company.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { recordStatements } from '../testing/recorded-statements.ts'
import { callTargets } from '../testing/hostile/calls.ts'
import { validKeyInputs } from '../testing/hostile/key-calls.ts'
import { findKey, revokeKey } from '../staff/keys/key.ts'

// Two processes on one database, each with a memory of its own. The owner changes rows as a command
// does, or the release before this one.
let company: TestCompany
let memberCode: string
let inputs: ReturnType<typeof validKeyInputs>
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
const { counted, restore } = countBursts()
let apps: { app: TestCompany['app']; sources: CallerSource[] }[]
beforeAll(async () => {
  await owner.connect()
  company = await testCompany()
  ;({ memberCode } = await testMember(company))
  inputs = validKeyInputs(await callTargets(company))
  apps = await Promise.all([process(), process()])
})
afterAll(async () => {
  restore()
  await Promise.all(apps.map(({ app }) => app.close()))
  await owner.end()
  await company.close()
})
beforeEach(() => apps.forEach(({ sources }) => sources.splice(0)))

async function process(
  settings: Parameters<typeof createApp>[2] = {},
  database = company.database,
) {
  const sources: CallerSource[] = []
  const countCaller = (source: CallerSource) => sources.push(source)
  const log = pino({ level: 'silent' })
  const app = await createApp(database, log, {
    ...shortcuts,
    countCaller,
    remembersSessions: true,
    ...settings,
  })
  return { app, sources }
}

const look = (n: number, key: string) =>
  callWithKey(apps[n] ?? company, readMember, { memberCode }, key)
/** A call that the counter answers, in a store. */
const list = (n: number, key: string, store = 'S1') =>
  callWithKey(apps[n] ?? company, integrationEndpoints.readCoupons, { memberCode }, key, {
    [storeHeader]: store,
  })
const sql = (text: string, values: unknown[] = []) => owner.query(text, [company.id, ...values])

const openS2 = (isOpen: boolean) =>
  company.database.transaction(company.id, (tx) => setStoreActive(tx, company.id, 'S2', isOpen))

/** A new key that both processes remember. */
async function remembered(): Promise<{ key: string; keyId: string }> {
  const made = await testKey(company)
  for (const n of [0, 1, 0, 1]) {
    expect((await look(n, made.key)).code).toBe(0)
    expect((await list(n, made.key)).code).toBe(0)
  }
  apps.forEach(({ sources }) => sources.splice(0))
  return made
}

describe('a remembered key', () => {
  test('is confirmed by each request, and read once by each process', async () => {
    const { key } = await testKey(company)
    for (const _ of [1, 2]) for (const n of [0, 1]) await look(n, key)
    await list(0, key)
    expect(apps.map(({ sources }) => sources)).toEqual([
      ['database', 'memory', 'memory'],
      ['database', 'memory'],
    ])
  })

  test('is read in full where the process remembers none', async () => {
    const { app, sources } = await process({ remembersSessions: false })
    const { key } = await testKey(company)
    for (const _ of [1, 2]) await callWithKey({ app }, readMember, { memberCode }, key)
    expect(sources).toEqual(['database', 'database'])
    await app.close()
  })

  const reads = Object.entries<IntegrationEndpoint>(integrationEndpoints).filter(
    ([name, { method }]) => method === 'GET' || name === 'findMember',
  )
  /** Reads that take more than one round trip, each with its reason. */
  const exempt: Record<string, string> = {
    checkCoupon: 'finds the member of the code before the coupon',
    readPointReport: 'takes its turn, which is a change',
    readEvents: 'gives the events their positions, which is a change',
    previewPoints: 'needs the exact time, and the lots that it would take',
  }
  test.each(reads.filter(([name]) => !Object.hasOwn(exempt, name)))(
    'reads in one round trip: %s',
    async (name, endpoint) => {
      const { key } = await remembered()
      const ask = () => callWithKey(apps[0] ?? company, endpoint, inputs[name], key)
      await ask()
      const { answer, bursts } = await counted(ask)
      expect([answer.code, bursts]).toEqual([0, 1])
    },
  )

  test.each([
    ['an unknown member', findMember, { memberCode: 'NOBODY' }],
    ['bad input', findMember, { memberCode: 1 }],
    ['a bad cursor', integrationEndpoints.listMembers, { after: 'x' }],
  ])('answers %s as it does without memory', async (_case, endpoint, input) => {
    const { key } = await remembered()
    const { app } = await process({ remembersSessions: false })
    const without = await callWithKey({ app }, endpoint, input, key)
    const { problem, status } = await callWithKey(apps[0] ?? company, endpoint, input, key)
    const requestId = expect.any(String)
    expect(without.code).not.toBe(0)
    expect({ problem, status }).toEqual({
      problem: { ...without.problem, requestId },
      status: without.status,
    })
    await app.close()
  })

  test('is refused by every process once it is revoked', async () => {
    const { key, keyId } = await remembered()
    await company.database.transaction(company.id, (tx) => revokeKey(tx, company.id, keyId))
    for (const n of [0, 1]) {
      expect(await look(n, key)).toMatchObject({ status: 401 })
      expect(await list(n, key)).toMatchObject({ status: 401 })
    }
  })

  test.each<[string, string, string]>([
    ['its row alone', `revoked_at = now()`, 'unauthorized'],
    ['its scopes', `scopes = '{transactions:write}'`, 'noPermission'],
    ['its stores', `store_codes = '{S2}'`, 'storeNotAllowed'],
  ])('has another answer with the next request after a change of %s', async (_, set, code) => {
    const { key, keyId } = await remembered()
    await sql(`update api_key set ${set} where company_id = $1 and key_id = $2`, [keyId])
    for (const n of [0, 1]) expect((await list(n, key)).code).toBe(code)
  })

  test('cannot act in a store that was closed, until it is open again', async () => {
    const { key } = await remembered()
    for (const n of [0, 1]) expect((await list(n, key, 'S2')).code).toBe(0)
    await openS2(false)
    for (const n of [0, 1]) expect((await list(n, key, 'S2')).code).toBe('storeClosed')
    await openS2(true)
    for (const n of [0, 1]) expect((await list(n, key, 'S2')).code).toBe(0)
  })

  test('counts each request once against its limit', async () => {
    const { app } = await process({ requestsPerMinute: 4 })
    const { key, keyId } = await testKey(company)
    const change = 'update api_key set name = name where company_id = $1 and key_id = $2'
    const codes: unknown[] = []
    for (let n = 0; n < 5; n++) {
      // A holder that has changed is read again, by the same request.
      if (n === 2) await sql(change, [keyId])
      codes.push((await callWithKey({ app }, readMember, { memberCode }, key)).code)
    }
    expect(codes).toEqual([0, 0, 0, 0, 'tooManyRequests'])
    await app.close()
  })

  test.each([
    ['a call of its own', readMember, 'from member_tier'],
    ['a call of the counter', integrationEndpoints.readCoupons, 'from coupon '],
  ])('beyond its limit reads no data: %s', async (_, endpoint, data) => {
    const { database, asked } = recordStatements(company.database)
    const { app } = await process({ requestsPerMinute: 2 }, database)
    const { key } = await testKey(company)
    const answers: unknown[] = []
    for (let n = 0; n < 3; n++) {
      asked.splice(0)
      const store = { [storeHeader]: 'S1' }
      const { code } = await callWithKey({ app }, endpoint, { memberCode }, key, store)
      answers.push([code, asked.some((text) => text.includes(data))])
    }
    const good = [0, true]
    expect(answers).toEqual([good, good, ['tooManyRequests', false]])
    await app.close()
  })

  test('answers nothing after its revocation, under load', async () => {
    const { key, keyId } = await remembered()
    let isRevoked = false
    const late: number[] = []
    const loops = [0, 1, 0, 1].map(async (n) => {
      for (let asked = 0; asked < 25; asked++) {
        const after = isRevoked
        const { status } = await look(n, key)
        if (after) late.push(status)
      }
    })
    await look(0, key)
    await company.database.transaction(company.id, (tx) => revokeKey(tx, company.id, keyId))
    isRevoked = true
    await Promise.all(loops)
    expect(late.length).toBeGreaterThan(0)
    expect(new Set(late)).toEqual(new Set([401]))
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
  const tables: Record<string, string> = { c: 'company', k: 'api_key' }
  const columns = Array.from(findKey.text.matchAll(/\b(c|k)\.(\w+)/g), ([, a = '', name = '']) => [
    tables[a] ?? '',
    name,
  ]).filter(([, name]) => !name?.endsWith('_id') && !name?.endsWith('_hash'))

  test.each([...columns, ['store', 'name'], ['store', 'active']])(
    'changes with %s.%s',
    async (table, column) => {
      await testKey(company)
      const before = await epochAfter('select $1::uuid')
      const text = `update ${table} set ${column} = ${column} where company_id = $1`
      expect(await epochAfter(text)).not.toBe(before)
    },
  )
})
