import { randomUUID } from 'node:crypto'
import { login, logout } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { waitersOf } from '../testing/cluster/lane.ts'
import { password, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'
import { statement } from './database.ts'

// Two of the program's processes on one database. Nothing that one process keeps in memory may be
// needed by the other.
let company: TestCompany
let member: { id: string; memberCode: string }
const servers: ServerProcess[] = []
let addresses: string[]

const start = () => {
  const server = startServer({ DATABASE_URL: inject('ownerUrl') })
  servers.push(server)
  return server
}
beforeAll(async () => {
  company = await testCompany()
  member = await testMember(company)
  addresses = await Promise.all([start().ready, start().ready])
})
afterAll(async () => {
  for (const { process } of servers) process.kill('SIGKILL')
  await company.close()
})

const at = (n: number): string => addresses[n % addresses.length] ?? ''
async function logInAt(address: string): Promise<string> {
  const input = { identifier: company.identifier, account: 'amy', password }
  const answer = await post(address, login, input)
  return z.object({ token: z.string() }).parse(answer.data).token
}
const redeem = (address: string, token: string, couponCode: string, key: string = randomUUID()) =>
  post(
    address,
    redeemCoupon,
    { couponCode, memberCode: member.memberCode },
    { authorization: `Bearer ${token}`, 'idempotency-key': key },
  )
const count = (table: string, where: string, code: string) =>
  company.database.transaction(company.id, async (tx) => {
    const sql = `select count(*)::int as n from ${table} where ${where}`
    return (await tx.one(statement(sql, z.object({ n: z.int() })), [code])).n
  })
const effectsOf = async (code: string) => ({
  redemptions: await count('coupon_redemption', 'coupon_code = $1', code),
  audits: await count('audit', `action = 'coupon.redeem' and details ->> 'couponCode' = $1`, code),
})

describe('two server processes', () => {
  test('listen on two ports and give the same answers', async () => {
    expect(new Set(addresses).size).toBe(2)
    const token = await logInAt(at(0))
    for (const address of addresses) {
      expect((await fetch(`${address}/healthz`)).status).toBe(200)
      expect((await fetch(`${address}/readyz`)).status).toBe(200)
      const answer = await redeem(address, token, 'NONE')
      expect(answer.code).toBe(113001)
    }
  })

  test('of forty redemptions of one coupon at once, exactly one succeeds', async () => {
    const tokens = [await logInAt(at(0)), await logInAt(at(1))]
    const code = await testCoupon(company, member)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => redeem(at(n), tokens[n % 2] ?? '', code)),
    )
    const codes = answers.map((answer) => answer.code)
    expect(codes.filter((c) => c === 0)).toHaveLength(1)
    expect(codes.filter((c) => c === 113002)).toHaveLength(39)
    expect(await effectsOf(code)).toEqual({ redemptions: 1, audits: 1 })
  })

  test('one request sent twenty times at once is one effect with one answer', async () => {
    const token = await logInAt(at(0))
    const code = await testCoupon(company, member)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => redeem(at(n), token, code, key)),
    )
    expect(answers[0]).toMatchObject({ status: 200, code: 0, data: { code, status: 'USED' } })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await effectsOf(code)).toEqual({ redemptions: 1, audits: 1 })
  })

  test('a logout on one is a logout on the other', async () => {
    const token = await logInAt(at(0))
    expect((await redeem(at(1), token, 'NONE')).code).toBe(113001)
    const headers = { authorization: `Bearer ${token}` }
    expect((await post(at(0), logout, {}, headers)).code).toBe(0)
    expect((await redeem(at(1), token, 'NONE')).status).toBe(401)
  })
})

describe('a server that receives SIGTERM', () => {
  test('finishes requests in flight, accepts no new ones, and exits 0', async () => {
    const third = start()
    const address = await third.ready
    const token = await logInAt(address)
    const code = await testCoupon(company, member)
    const owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    await owner.query('begin')
    const lock = 'select from coupon where company_id = $1 and member_id = $2 for update'
    await owner.query(lock, [company.id, member.id])

    const inFlight = redeem(address, token, code)
    const watcher = new pg.Client({ connectionString: inject('ownerUrl') })
    await watcher.connect()
    const waiters = await waitersOf(owner, watcher)
    while ((await waiters()) === 0) {}
    await watcher.end()

    third.process.kill('SIGTERM')
    await new Promise((wake) => setTimeout(wake, 200))
    await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed')
    await owner.query('commit')
    await owner.end()

    expect(await inFlight).toMatchObject({ status: 200, code: 0 })
    const { code: exit, stdout, stderr } = await third.ended
    expect([exit, stderr]).toEqual([0, ''])
    expect(await effectsOf(code)).toEqual({ redemptions: 1, audits: 1 })
    // The log contains no personal data and no secret.
    expect(stdout).toContain('"route":"/web/api/v1/connector/coupon/redeem"')
    for (const secret of [token, code, member.memberCode, 'amy', password]) {
      expect(stdout).not.toContain(secret)
    }
  })
})

describe('a server that cannot start', () => {
  const nowhere = 'postgres://nobody:secret@127.0.0.1:1/none'
  test.each([
    [
      'a PORT that is not a number',
      { PORT: 'eighty' },
      /^Tillside could not start: PORT is not a valid value: it must be a port number.+\n$/,
    ],
    [
      'a PORT out of range',
      { PORT: '65536' },
      /^Tillside could not start: PORT is not a valid value: it must be a port number.+\n$/,
    ],
    [
      'a database that cannot be reached',
      { DATABASE_URL: nowhere },
      /^Tillside could not start: cannot connect to the database [^\n]*\/none: .*ECONNREFUSED.*\n$/,
    ],
  ])('gives the reason in one line: %s', async (_case, environment, line) => {
    const { ended } = startServer({ DATABASE_URL: inject('ownerUrl'), ...environment })
    const { code, stdout, stderr } = await ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(line)
    expect(stderr).not.toContain('secret')
  })

  test('reports that its port is taken before it looks for a database', async () => {
    const { port } = new URL(at(0))
    const { ended } = startServer({ DATABASE_URL: nowhere, PORT: port })
    expect(await ended).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `Tillside could not start: port ${port} is in use by another program, perhaps by another ` +
        `Tillside; stop that program, or set PORT=${Number(port) + 1} or another free port\n`,
    })
  })

  test('reports an address that this machine does not have', async () => {
    const { ended } = startServer({ DATABASE_URL: nowhere, HOST: '192.0.2.1' })
    const stderr = 'Tillside could not start: HOST=192.0.2.1 is not an address of this machine\n'
    expect(await ended).toEqual({ code: 1, stdout: '', stderr })
  })
})
