import { getSupportedLanguages } from '@tillside/contract/company'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setStoreActive } from '../setup/stores.ts'
import { call, logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { addStaff, setDisabled, setPassword } from './accounts.ts'
import { hashPassword } from './password.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

async function statusOf(token: string): Promise<number> {
  return (await call(company, getSupportedLanguages, {}, { token })).status
}

describe('sessions end at once', () => {
  test('when the account is disabled, and stay ended when it is enabled', async () => {
    const [amy, ben] = [await logIn(company, 'amy'), await logIn(company, 'ben')]
    const { database, id } = company
    await database.transaction(id, (tx) => setDisabled(tx, id, 'AMY', true))
    expect([await statusOf(amy), await statusOf(ben)]).toEqual([401, 200])
    await expect(logIn(company, 'amy')).rejects.toThrow('103001')
    await database.transaction(id, (tx) => setDisabled(tx, id, 'amy', false))
    expect(await statusOf(amy)).toBe(401)
    expect(await statusOf(await logIn(company, 'amy'))).toBe(200)
  })

  test('when the password changes', async () => {
    const ben = await logIn(company, 'ben')
    const { database, id } = company
    const hash = await hashPassword('Another#2026')
    await database.transaction(id, (tx) => setPassword(tx, id, 'ben', hash))
    expect(await statusOf(ben)).toBe(401)
    await expect(logIn(company, 'ben')).rejects.toThrow('103003')
  })

  test('when the store closes, and stay ended when it opens', async () => {
    const dan = await logIn(company, 'dan')
    const { database, id } = company
    await database.transaction(id, (tx) => setStoreActive(tx, id, 'S1', false))
    expect(await statusOf(dan)).toBe(401)
    await expect(logIn(company, 'dan')).rejects.toThrow('103002')
    await database.transaction(id, (tx) => setStoreActive(tx, id, 'S1', true))
    expect(await statusOf(dan)).toBe(401)
  })
})

test('names the reason why an account cannot be added', async () => {
  const { database, id } = company
  const staff = {
    account: 'eve',
    firstName: 'Eve',
    lastName: 'Test',
    groupCode: 'full',
    storeCode: 'S1',
    passwordHash: 'x',
  }
  const add = (changes: Partial<typeof staff>) =>
    database.transaction(id, (tx) => addStaff(tx, id, { ...staff, ...changes }))
  await expect(add({ account: 'Amy' })).rejects.toThrow('the account "Amy" exists already')
  await expect(add({ groupCode: 'nobody' })).rejects.toThrow('there is no group "nobody"')
  await expect(add({ storeCode: 'S77' })).rejects.toThrow('no store "S77"')
  await expect(
    database.transaction(id, (tx) => setDisabled(tx, id, 'nobody', true)),
  ).rejects.toThrow('there is no account "nobody"')
})
