import { randomUUID } from 'node:crypto'
import { type EndpointName, endpoints } from '@tillside/contract/endpoints'
import { failures } from '@tillside/contract/wire/failures'
import { type Endpoint } from '@tillside/contract/wire/endpoint'
import { operationStatus } from '@tillside/contract/wire/operation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testRegister } from '../testing/factories/register-form.ts'
import { callTargets, prepareInput } from '../testing/hostile/calls.ts'

// The answer of a value-moving call is kept for 48 hours, for a repeat of the call. After the
// erasure of the member it must not name them. The endpoints come from the contract, so a new one
// is tested too.

const readAnswer = statement(
  'select answer::text as answer from operation where company_id = $1 and key = $2',
  z.object({ answer: z.string() }),
)
const isName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name)
const keyed = Object.keys(endpoints)
  .filter(isName)
  .filter((name) => endpoints[name].needsKey)

let company: TestCompany
beforeAll(async () => {
  company = await testCompany({ register: testRegister })
})
afterAll(() => company.close())

const OfMember = z.object({ memberCode: z.string() })

test.each(keyed)('the kept answer of %s does not name an erased member', async (name) => {
  const person = { firstName: 'Zxcvbn', lastName: 'Qwertz', email: `${randomUUID()}@example.com` }
  const targets = await callTargets(company, person)
  const endpoint: Endpoint = endpoints[name]
  const input = await prepareInput(company, name, targets)
  const [token, key] = [await logIn(company), randomUUID()]
  const first = await call(company, endpoint, input, { token, key })
  expect(first.code).toBe(0)
  const { data: named } = OfMember.safeParse(first.data)
  const memberCode = named?.memberCode ?? targets.memberCode
  const words = ['--yes', '--reason', 'asked by letter 17']
  const erased = await tillside('member', 'erase', company.identifier, memberCode, ...words)
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringContaining('is erased')])

  const kept = await company.database.transaction(company.id, (tx) =>
    tx.one(readAnswer, [company.id, key]),
  )
  const typed = ['mobile', 'firstName', 'lastName'].map((field) => input[field])
  for (const word of [memberCode, ...Object.values(person), ...typed]) {
    if (typeof word === 'string') expect(kept.answer).not.toContain(word)
  }
  // A repeat changes nothing: it is answered from what was kept.
  const expected = named === undefined ? first : { code: failures.memberUnknown.code, data: null }
  expect(await call(company, endpoint, input, { token, key })).toMatchObject(expected)
  const { state, answer } = await ok(company, operationStatus, { key }, { token })
  expect([state, answer]).toMatchObject(['done', { code: expected.code, data: expected.data }])
})
