import { scopes } from '@tillside/contract/integration/endpoint'
import { readMember } from '@tillside/contract/integration/members'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { tillside } from '../testing/command.ts'
import { revokeKey } from '../staff/keys/key.ts'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { callTargets } from '../testing/hostile/calls.ts'
import { keyCalls, validKeyInputs } from '../testing/hostile/key-calls.ts'
import { testMember } from '../testing/factories/member.ts'

let company: TestCompany
let other: TestCompany
beforeAll(async () => {
  company = await testCompany()
  other = await testCompany()
  inputs = validKeyInputs(await callTargets(company))
})
afterAll(async () => {
  await company.close()
  await other.close()
})

const join = (a: Buffer, b: Buffer) => `tillside_${Buffer.concat([a, b]).toString('base64url')}`
let inputs: Record<string, Record<string, unknown>>

describe('who comes without a good key', () => {
  test.each(keyCalls)('%s answers 401 and changes nothing', async (name, endpoint) => {
    const { key } = await testKey(company)
    const { key: theirs } = await testKey(other)
    const own = Buffer.from(key.slice('tillside_'.length), 'base64url')
    const foreign = Buffer.from(theirs.slice('tillside_'.length), 'base64url')
    const session = await logIn(company)
    const revoked = await testKey(company)
    await company.database.transaction(company.id, (tx) => revokeKey(tx, company.id, revoked.keyId))
    const before = [await contentsOf(company), await contentsOf(other)]
    for (const bad of [
      null,
      'abc',
      key.slice(0, -1),
      key.slice('tillside_'.length),
      // The company's id is no secret; another company's secret behind it opens nothing.
      join(own.subarray(0, 16), foreign.subarray(16)),
      join(foreign.subarray(0, 16), own.subarray(16)),
      join(own.subarray(0, 16), Buffer.alloc(32, 7)),
      revoked.key,
      session,
    ]) {
      const answer = await callWithKey(company, endpoint, inputs[name], bad)
      expect([bad, answer.status, answer.code]).toEqual([bad, 401, 'unauthorized'])
      expect(answer.problem?.detail).toBe('The API key is missing, unknown or revoked.')
    }
    expect([await contentsOf(company), await contentsOf(other)]).toEqual(before)
  })

  test.each(keyCalls)('%s needs its scope', async (name, endpoint) => {
    const but = await testKey(company, { scopes: scopes.filter((s) => s !== endpoint.scope) })
    const before = await contentsOf(company)
    // Invalid input gets no validation errors either.
    const wrong = endpoint.method === 'GET' ? { memberCode: '-' } : { wrong: 1 }
    for (const input of [inputs[name], wrong]) {
      const answer = await callWithKey(company, endpoint, input, but.key)
      expect(answer).toMatchObject({ status: 403, code: 'noPermission' })
      expect(answer.problem?.detail).toContain('scope')
    }
    expect(await contentsOf(company)).toEqual(before)
  })

  it('sees only its own company', async () => {
    const { memberCode } = await testMember(company)
    const { key } = await testKey(company)
    const { key: theirs } = await testKey(other)
    const ask = (k: string) => callWithKey(company, readMember, { memberCode }, k)
    expect(await ask(key)).toMatchObject({ code: 0, data: { member: { memberCode } } })
    expect(await ask(theirs)).toMatchObject({ code: 'memberUnknown' })
  })
})

// After the refusals, because the calls change the company.
test('every call needs no other scope than its own', async () => {
  for (const [name, endpoint] of keyCalls) {
    const only = await testKey(company, { scopes: [endpoint.scope] })
    const answer = await callWithKey(company, endpoint, inputs[name], only.key)
    // The scope of the test clock is for test keys (`jobs/test-clock.test.ts`).
    const expected = endpoint.scope === 'test:clock' ? [403, 'liveKey'] : [200, 0]
    expect([name, answer.status, answer.code]).toEqual([name, ...expected])
    if (answer.status !== 200) continue
    expect(endpoint.data.safeParse(answer.data).error).toBeUndefined()
  }
})

describe('tillside key', () => {
  it('shows a key once, lists it without its secret, and ends it at once', async () => {
    const { identifier } = company
    const words = ['--name', 'Web shop', '--scope', 'members:read', '--store', 'S1', 'S2']
    const made = await tillside('key', 'create', identifier, ...words, '--json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const { key, keyId } = JSON.parse(made.stdout)
    const ask = () => callWithKey(company, readMember, { memberCode: 'NOBODY' }, key)
    expect(await ask()).toMatchObject({ code: 'memberUnknown' })

    const listed = await tillside('key', 'list', identifier)
    expect(listed.stdout).toContain(keyId)
    expect(listed.stdout).toMatch(/Web shop +members:read +S1 S2 +active/)
    expect(listed.stdout).not.toContain(key.slice(40))

    expect(await tillside('key', 'revoke', identifier, keyId)).toMatchObject({ code: 0 })
    expect(await ask()).toMatchObject({ status: 401 })
    expect((await tillside('key', 'list', identifier)).stdout).toContain('revoked 20')
    expect(await tillside('key', 'revoke', identifier, keyId)).toMatchObject({
      code: 1,
      stderr: `there is no active API key "${keyId}"\n`,
    })
  })

  it.each([
    [['--name', 'x', '--scope', 'everything'], /scope/],
    [['--name', 'x', '--scope', 'members:read', '--store', 'S7'], /no store "S7"/],
    [['--name', ' ', '--scope', 'members:read'], /--name/],
    [['--scope', 'members:read'], /--name/],
  ])('refuses %j in one line', async (words, line) => {
    const { code, stderr } = await tillside('key', 'create', company.identifier, ...words)
    expect(code).toBe(1)
    expect(stderr).toMatch(line)
  })
})
