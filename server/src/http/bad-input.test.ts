import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { failures } from '@tillside/contract/wire/failures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isDeclared, type CallTargets, callTargets, validInputs } from '../testing/hostile/calls.ts'
import { type Answer, logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import {
  toleratedValues,
  fieldsOf,
  refusedInText,
  alwaysRefused,
} from '../testing/hostile/hostile-values.ts'

// Sends hostile values in every field of every call. Each is refused with the field's name or with
// a declared refusal; there is no 500 and no change.
let company: TestCompany
let token: string
let things: CallTargets
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  things = await callTargets(company)
})
afterAll(() => company.close())

/** Fields in their written form, in a query or in a body. */
type Written = Record<string, string>

async function send(endpoint: Endpoint, query: Written, body: Written | string): Promise<Answer> {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  const posts = endpoint.method === 'POST'
  const members = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}:${value}`)
  const response = await company.app.inject({
    method: endpoint.method,
    url: `${basePath}${endpoint.path}?${pairs.join('&')}`,
    headers: {
      ...(endpoint.access === 'public' ? {} : { authorization: `Bearer ${token}` }),
      ...(posts ? { 'content-type': 'application/json' } : {}),
      'idempotency-key': crypto.randomUUID(),
    },
    ...(posts ? { payload: typeof body === 'string' ? body : `{${members.join(',')}}` } : {}),
  })
  return { status: response.statusCode, ...Envelope.parse(response.json()) }
}

const inQuery = (endpoint: Endpoint, field: string): boolean =>
  endpoint.method === 'GET' || (endpoint.inQuery?.includes(field) ?? false)

/** Sends the endpoint's valid input with another value in one field. */
function sendField(name: string, endpoint: Endpoint, field: string, value: string) {
  const valid = Object.entries(validInputs(things)).find(([known]) => known === name)?.[1] ?? {}
  const [query, body]: [Written, Written] = [{}, {}]
  // A look-up accepts only one key, so the other fields are left out.
  for (const [key, v] of Object.entries(endpoint === endpoints.getOneCustomer ? {} : valid)) {
    if (inQuery(endpoint, key)) query[key] = encodeURIComponent(String(v))
    else body[key] = JSON.stringify(v)
  }
  // Defined, not assigned, so that `__proto__` becomes an ordinary field.
  Object.defineProperty(inQuery(endpoint, field) ? query : body, field, {
    value,
    enumerable: true,
    configurable: true,
  })
  return send(endpoint, query, body)
}

const namesField = (answer: Answer, field: string): boolean =>
  answer.code === 422 &&
  failures.invalid.data
    .parse(answer.data)
    .fields.some(({ path }) => path === field || path.startsWith(`${field}.`))

const all = Object.entries<Endpoint>(endpoints)
const fields = all.flatMap(([name, endpoint]) =>
  fieldsOf(endpoint).map((field) => ({ name, endpoint, field, label: `${name}.${field.name}` })),
)

test('every call with fields is tested', () => {
  expect(fields.length).toBeGreaterThan(25)
  expect(
    all.filter(([, endpoint]) => fieldsOf(endpoint).length === 0).map(([name]) => name),
  ).toEqual([
    'logout',
    'getSupportedLanguages',
    'getPermission',
    'getOtherConfig',
    'getCustomRegisterConfig',
    'listStores',
    'getRuleBook',
    'listTiers',
    'listShiftNotes',
    'searchHistoryKey',
  ])
})

// Any text is valid input in these fields, and a wrong secret.
const secrets = new Set([
  'password',
  'accessToken',
  'originPassword',
  'newPassword',
  'confirm_password',
])

/** These have several lines. */
const severalLines = new Set(['writeShiftNote.text'])

/** Their audit rows are written a moment after the answer. */
const auditedReads = new Set(['storeActivity', 'searchByName', 'getOneCustomer', 'revealContact'])

const unknownFields = ['extra', 'company_id', 'constructor', 'toString', '', 'a.b', 'x'.repeat(500)]

describe.each(fields)('$label', ({ name, endpoint, field }) => {
  const written = (value: { json?: string; query?: string }) =>
    inQuery(endpoint, field.name) ? value.query : value.json

  test('is refused by name', async () => {
    const before = await contentsOf(company)
    const secret = secrets.has(field.name)
    const cases = [...alwaysRefused(field), ...(secret ? [] : refusedInText)]
    for (const { what, ...value } of cases) {
      const text = written(value)
      if (text === undefined) continue
      // Spaces are a wrong password, not an invalid field.
      if (secret && what === 'spaces') continue
      if (what === 'a line feed' && severalLines.has(`${name}.${field.name}`)) continue
      const answer = await sendField(name, endpoint, field.name, text)
      expect([what, answer.status, answer.code]).toEqual([what, 200, 422])
      expect([what, namesField(answer, field.name)]).toEqual([what, true])
    }
    expect(await contentsOf(company)).toEqual(before)
  })

  test('breaks nothing', async () => {
    for (const { what, ...value } of toleratedValues) {
      const text = written(value)
      if (text === undefined) continue
      const answer = await sendField(name, endpoint, field.name, text)
      expect([what, answer, isDeclared(endpoint, answer)]).toEqual([what, answer, true])
    }
    if (auditedReads.has(name)) await new Promise((wake) => setTimeout(wake, 300))
  })
})

describe.each(all)('%s', (name, endpoint) => {
  const extended = (field: string, json: string) =>
    endpoint.method === 'GET'
      ? sendField(name, endpoint, encodeURIComponent(field), 'x')
      : sendField(name, endpoint, field, json)

  test('refuses fields that it does not know', async () => {
    const before = await contentsOf(company)
    for (const field of unknownFields) {
      const answer = await extended(field, '{"a":1}')
      expect([field, answer.status, answer.code]).toEqual([field, 200, 422])
      expect(answer.data).toMatchObject({
        fields: expect.arrayContaining([
          expect.objectContaining({ path: field, reason: 'unknownField' }),
        ]),
      })
    }
    expect(await contentsOf(company)).toEqual(before)
  })

  test.each(['__proto__', '__proto__.polluted', 'constructor.prototype'])(
    'is not bent by “%s”',
    async (field) => {
      const answer = await extended(field, '{"polluted":1}')
      expect(answer.code).toBe(422)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    },
  )

  test('says which fields are missing', async () => {
    if (z.safeParse(endpoint.input, {}).success) return
    const answer = await send(endpoint, {}, {})
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
        const answer = await send(endpoint, {}, body)
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
        const answer = await send(endpoint, {}, body)
        expect([body, answer.status, answer.code]).toEqual([body, 200, 422])
      }
    })
  },
)
