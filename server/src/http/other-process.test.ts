import { getPermission } from '@tillside/contract/company'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import type { Permission } from '@tillside/contract/wire/permissions'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { changePermission } from '../setup/permissions.ts'
import { setDisabled } from '../staff/accounts.ts'
import { callTargets, validInputs } from '../testing/hostile/calls.ts'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { callAt } from '../testing/servers/process.ts'
import { twoServers } from '../testing/servers/two.ts'
import { testClerk } from '../testing/factories/staff.ts'

// A permission that one process revokes is refused by another process at the next call: a process
// caches nothing that decides about permissions.
let company: TestCompany
let address: string
let inputs: Record<string, Record<string, unknown>>
beforeAll(async () => {
  company = await testCompany()
  inputs = validInputs(await callTargets(company))
  ;[address] = await twoServers()
})
afterAll(() => company.close())

const guarded = Object.entries<Endpoint>(endpoints).filter(([, e]) => e.access !== 'public')
const permitted = guarded.flatMap(([name, endpoint]) =>
  typeof endpoint.access === 'string' ? [] : [[name, endpoint, endpoint.access] as const],
)

async function change(access: readonly Permission[], granted: boolean): Promise<void> {
  await company.database.transaction(company.id, async (tx) => {
    for (const permission of access) {
      await changePermission(tx, company.id, 'full', permission, granted)
    }
  })
}

describe('a permission that is revoked during a session', () => {
  test('is required by most calls', () => expect(permitted.length).toBeGreaterThan(25))

  test.each(permitted)('is gone for %s in another process', async (name, endpoint, access) => {
    const token = await logIn(company)
    const ask = (input: unknown) => callAt(address, endpoint, input, token)
    // With the permission the answer is that the input is invalid; nothing changes either way.
    const isLetIn = async () => (await ask({ wrong: 1 })).code === 422
    const refused = { status: 200, code: 10000, message: 'NO_PERMISSION', data: null }
    expect(await isLetIn()).toBe(true)
    // The next tests need it, also when this one fails.
    onTestFinished(() => change(access, true))
    await change(access, false)
    const before = await contentsOf(company)
    expect(await ask(inputs[name])).toEqual(refused)
    expect(await contentsOf(company)).toEqual(before)
    // It is also refused after the session has read the new set.
    await callAt(address, getPermission, {}, token)
    const after = await contentsOf(company)
    expect(await ask(inputs[name])).toEqual(refused)
    expect(await contentsOf(company)).toEqual(after)
    // After it is granted again, it works only for a session that has read the new set.
    await change(access, true)
    expect(await ask(inputs[name])).toEqual(refused)
    await callAt(address, getPermission, {}, token)
    expect(await isLetIn()).toBe(true)
  })
})

test('a disabled clerk is refused by every process', async () => {
  const token = await testClerk(company, 'leaving')
  for (const [name, endpoint] of guarded) {
    expect([name, (await callAt(address, endpoint, { wrong: 1 }, token)).code]).toEqual([name, 422])
  }
  await company.database.transaction(company.id, (tx) =>
    setDisabled(tx, company.id, 'leaving', true),
  )
  const before = await contentsOf(company)
  for (const [name, endpoint] of guarded) {
    const answer = await callAt(address, endpoint, inputs[name], token)
    expect([name, answer.status, answer.code]).toEqual([name, 401, 401])
  }
  expect(await contentsOf(company)).toEqual(before)
})
