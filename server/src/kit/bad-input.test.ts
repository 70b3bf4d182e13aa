import { basePath, type Endpoint, Envelope } from '@tillside/contract/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { failures } from '@tillside/contract/failures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeclared, type Named, named, validInputs } from '../testing/calls.ts'
import { type Answer, logIn, testCompany, type TestCompany } from '../testing/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { anything, fieldsOf, neverInText, neverTaken } from '../testing/mischief.ts'

// Every field of every call with values that break programs: refused by name or as the contract
// declares, never a 500 and never a silent change.
let company: TestCompany
let token: string
let things: Named
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  things = await named(company)
})
afterAll(() => company.close())

/** Sends a body or a query exactly as it is written. */
async function send(endpoint: Endpoint, written: string): Promise<Answer> {
  const url = basePath + endpoint.path
  const response = await company.app.inject({
    method: endpoint.method,
    url: endpoint.method === 'GET' ? `${url}?${written}` : url,
    headers: {
      ...(endpoint.access === 'public' ? {} : { authorization: `Bearer ${token}` }),
      'idempotency-key': crypto.randomUUID(),
      ...(endpoint.method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(endpoint.method === 'POST' ? { payload: written } : {}),
  })
  return { status: response.statusCode, ...Envelope.parse(response.json()) }
}

/** The valid input of an endpoint with one field written otherwise. */
function withField(name: string, endpoint: Endpoint, field: string, value: string): string {
  const valid = Object.entries(validInputs(things)).find(([known]) => known === name)?.[1] ?? {}
  // A look-up takes one of its names, so its others make room.
  const rest = Object.entries(endpoint === endpoints.getOneCustomer ? {} : valid)
  const others = rest.filter(([key]) => key !== field)
  return endpoint.method === 'GET'
    ? [
        ...others.map(([key, v]) => `${key}=${encodeURIComponent(String(v))}`),
        `${field}=${value}`,
      ].join('&')
    : `{${[...others.map(([key, v]) => `${JSON.stringify(key)}:${JSON.stringify(v)}`), `${JSON.stringify(field)}:${value}`].join(',')}}`
}

const namesField = (answer: Answer, field: string): boolean =>
  answer.code === 422 &&
  failures.invalid.data
    .parse(answer.data)
    .fields.some(({ path }) => path === field || path.startsWith(`${field}.`))

const all = Object.entries<Endpoint>(endpoints)
const fields = all.flatMap(([name, endpoint]) =>
  // A logout with a bad body that worked would end the session that the others need; it has no fields.
  fieldsOf(endpoint).map((field) => ({ name, endpoint, field, label: `${name}.${field.name}` })),
)

test('there are fields to attack, and every call was looked at', () => {
  expect(fields.length).toBeGreaterThan(25)
  expect(
    all.filter(([, endpoint]) => fieldsOf(endpoint).length === 0).map(([name]) => name),
  ).toEqual(['logout', 'getSupportedLanguages', 'getPermission', 'getOtherConfig', 'listTiers'])
})

describe.each(fields)('$label', ({ name, endpoint, field }) => {
  const written = (value: { json?: string; query?: string }) =>
    endpoint.method === 'GET' ? value.query : value.json

  test('is refused by name', async () => {
    const before = await contentsOf(company)
    const secret = field.name === 'password'
    const cases = [...neverTaken(field), ...(secret ? [] : neverInText)]
    for (const { what, ...value } of cases) {
      const text = written(value)
      if (text === undefined) continue
      // A password of spaces is a wrong password.
      if (secret && what === 'spaces') continue
      const answer = await send(endpoint, withField(name, endpoint, field.name, text))
      expect([what, answer.status, answer.code]).toEqual([what, 200, 422])
      expect([what, namesField(answer, field.name)]).toEqual([what, true])
    }
    expect(await contentsOf(company)).toEqual(before)
  })

  test('breaks nothing', async () => {
    for (const { what, ...value } of anything) {
      const text = written(value)
      if (text === undefined) continue
      const answer = await send(endpoint, withField(name, endpoint, field.name, text))
      expect([what, answer, isDeclared(endpoint, answer)]).toEqual([what, answer, true])
    }
  })
})

describe.each(all)('%s', (name, endpoint) => {
  const valid = () =>
    Object.entries(validInputs(things)).find(([known]) => known === name)?.[1] ?? {}
  const extended = (field: string, value: string) =>
    withField(name, endpoint, endpoint.method === 'GET' ? encodeURIComponent(field) : field, value)

  test.each(['extra', 'company_id', 'constructor', 'toString', '', 'a.b', 'x'.repeat(500)])(
    'refuses a field that it does not know: “%s”',
    async (field) => {
      const before = await contentsOf(company)
      const answer = await send(
        endpoint,
        extended(field, endpoint.method === 'GET' ? 'x' : '{"a":1}'),
      )
      expect(answer).toMatchObject({ status: 200, code: 422 })
      expect(answer.data).toMatchObject({
        fields: expect.arrayContaining([
          expect.objectContaining({ path: field, reason: 'unknownField' }),
        ]),
      })
      expect(await contentsOf(company)).toEqual(before)
    },
  )

  test.each(['__proto__', '__proto__.polluted', 'constructor.prototype'])(
    'is not bent by “%s”',
    async (field) => {
      const answer = await send(
        endpoint,
        extended(field, endpoint.method === 'GET' ? 'x' : '{"polluted":1}'),
      )
      expect(answer.code).toBe(422)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    },
  )

  test('says which fields are missing', async () => {
    if (Object.keys(valid()).length === 0) return
    const answer = await send(endpoint, endpoint.method === 'GET' ? '' : '{}')
    expect(answer).toMatchObject({ status: 200, code: 422 })
    const told = failures.invalid.data.parse(answer.data).fields
    expect(told.every(({ reason }) => reason === 'required' || reason === 'exactlyOne')).toBe(true)
  })
})

describe.each(all.filter(([, endpoint]) => endpoint.method === 'POST'))(
  'the body of %s',
  (_name, endpoint) => {
    test('is an object and nothing else', async () => {
      for (const body of ['[]', '[{}]', '"text"', '7', 'true', 'null']) {
        const answer = await send(endpoint, body)
        expect([body, answer.status, answer.code]).toEqual([body, 200, 422])
      }
    })

    test('is JSON', async () => {
      for (const body of [
        '',
        '{',
        '{"a":1',
        "{'a':1}",
        '\u0000',
        '{"a":NaN}',
        '{"a":"\n"}',
        '{}{}',
        '\uFEFF{}x',
      ]) {
        const answer = await send(endpoint, body)
        expect([body, answer.status, answer.code]).toEqual([body, 200, 422])
      }
    })
  },
)
