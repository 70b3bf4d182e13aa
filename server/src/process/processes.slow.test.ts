import { readFile } from 'node:fs/promises'
import { login } from '@tillside/contract/auth'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { password, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'

// Several processes on one port, started by one command.
let company: TestCompany
let server: ServerProcess
let address: string

beforeAll(async () => {
  company = await testCompany()
  server = startServer({ DATABASE_URL: inject('ownerUrl'), PROCESSES: '2', LOG_LEVEL: 'error' })
  address = await server.ready
}, 120_000)
afterAll(async () => {
  server.process.kill('SIGKILL')
  await company.close()
})

/** The processes started by the server that are still alive. */
async function children(): Promise<number[]> {
  const { pid } = server.process
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}
const isUp = async (at: string) => (await fetch(`${at}/readyz`).catch(() => null)) !== null
const logIn = () =>
  post(address, login, { identifier: company.identifier, account: 'amy', password })

describe('two processes of one command', () => {
  test('report readiness once, and both answer', async () => {
    expect(server.output().match(/Tillside is ready at/g)).toHaveLength(1)
    expect(await children()).toHaveLength(2)
    const answers = await Promise.all(Array.from({ length: 6 }, logIn))
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, code: 0 })
  })

  test('stay two when one of them is killed', { timeout: 60_000 }, async () => {
    const [first = 0, second = 0] = await children()
    process.kill(first, 'SIGKILL')
    await expect
      .poll(async () => (await children()).filter((pid) => pid !== first), { timeout: 50_000 })
      .toHaveLength(2)
    expect(await children()).toContain(second)
    await expect
      .poll(() => server.output().includes('process exited'), { timeout: 10_000 })
      .toBe(true)
    await expect
      .poll(
        () =>
          logIn().then(
            ({ code }) => code,
            () => null,
          ),
        { timeout: 20_000 },
      )
      .toBe(0)
  })

  test('end together when the first one is killed', { timeout: 60_000 }, async () => {
    const other = startServer({
      DATABASE_URL: inject('ownerUrl'),
      PROCESSES: '2',
      LOG_LEVEL: 'error',
    })
    const there = await other.ready
    expect(await isUp(there)).toBe(true)
    other.process.kill('SIGKILL')
    await expect.poll(() => isUp(there), { timeout: 10_000 }).toBe(false)
  })

  test('end together on SIGTERM', { timeout: 60_000 }, async () => {
    const before = await children()
    server.process.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
