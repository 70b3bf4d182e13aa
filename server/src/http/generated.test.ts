import { basePath } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { integrationBase, storeHeader } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type CallTargets, callTargets, validInputs } from '../testing/hostile/calls.ts'
import { logIn, password } from '../testing/factories/company.ts'
import { allowed, corrupted, type Hints } from '../testing/hostile/generated-requests.ts'
import { repetitionLevel, atLevel, seedAtLevel } from '../testing/repetition.ts'
import { testKey } from '../testing/factories/key.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { keyOpenApiOf } from './keys/openapi.ts'
import { openApiOf } from './openapi.ts'

// Calls every operation of the OpenAPI document with requests generated from it: valid ones, edge
// cases and invalid ones. Every answer must be one that the document declares, and all invariants
// must hold afterwards. `npm run test:long` generates new requests.
const runs = atLevel({ short: 6, full: 30, long: 1_000 }, 'REQUESTS')
const seed = seedAtLevel('SEED', 20261121)

const Content = z.record(z.string(), z.object({ schema: z.unknown() }))
const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.optional(z.boolean()),
  schema: z.unknown(),
})
const Operation = z.object({
  operationId: z.string(),
  parameters: z.pipe(
    z.array(z.unknown()),
    // The parameters that the calls of keys share are headers.
    z.transform((list) => list.flatMap((one) => Parameter.safeParse(one).data ?? [])),
  ),
  requestBody: z.optional(z.object({ content: Content })),
  responses: z.record(z.string(), z.object({ content: z.optional(Content) })),
})
const Paths = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

const keyDocument = keyOpenApiOf(integrationEndpoints)
const { components } = z
  .object({ components: z.object({ schemas: z.unknown() }) })
  .parse(keyDocument)
const operations = [
  ...operationsIn('', openApiOf(endpoints)),
  ...operationsIn(integrationBase, keyDocument),
]
function operationsIn(base: string, document: object) {
  return Object.entries(Paths.parse(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: base + path,
      method,
      operation,
    })),
  )
}
type Described = (typeof operations)[number]

/** The schema of an operation's body and parameters, without the headers of every call. */
function shapeOf({ parameters, requestBody }: Described['operation']): Record<string, unknown> {
  const own = parameters.filter((one) => one.in !== 'header')
  const properties = Object.fromEntries(own.map((one) => [one.name, one.schema]))
  const required = own.filter((one) => one.required).map((one) => one.name)
  if (requestBody === undefined) return { type: 'object', properties, required }
  const body = requestBody.content['application/json']?.schema
  return { type: 'object', properties: { ...properties, body }, required: [...required, 'body'] }
}

let shop: Shop
let things: CallTargets
let key: string
beforeAll(async () => {
  shop = await testShop()
  things = await callTargets(shop)
  key = (await testKey(shop)).key
})
afterAll(() => shop.close())

/** Existing values for each field, so that some requests find a row. */
function hintsOf(of: CallTargets): Hints {
  const worth: Record<string, unknown[]> = {}
  const gather = (input: object): void => {
    for (const [name, value] of Object.entries(input)) {
      if (name === 'address' || name === 'changes') gather(value)
      else worth[name] = [...(worth[name] ?? []), value]
    }
  }
  Object.values(validInputs(of)).forEach(gather)
  return {
    ...worth,
    kind: ['gift', 'coupon', 'transaction'],
    // A correct password would end the session that the test uses.
    originPassword: ['Wrong#2026'],
    account: ['ben', 'nobody'],
    password: [password, 'Wrong#2026'],
    points: [100, 1_000],
    pageSize: [1, 100],
    storeCode: ['S1', 'S9', 'NONE'],
    couponCodes: [of.couponCode],
    cursor: ['x'],
  }
}

/** A value, encoded for a URL. */
function text(part: unknown): string {
  const plain = typeof part === 'string' ? part.toWellFormed() : JSON.stringify(part ?? null)
  return encodeURIComponent(plain)
}

/** One request, built from the document. */
function requestOf({ path, method, operation }: Described, value: unknown, token: string) {
  const input = z.record(z.string(), z.unknown()).parse(value)
  const query = operation.parameters.filter((one) => one.in === 'query' && one.name in input)
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => text(input[name]))
  return {
    method: z.enum(['GET', 'POST', 'PATCH']).parse(method.toUpperCase()),
    url: `${address}?${query.map(({ name }) => `${name}=${text(input[name])}`).join('&')}`,
    // Another address than that of the test's logins: wrong passwords are counted by address.
    remoteAddress: '192.0.2.7',
    headers: {
      authorization: `Bearer ${path.startsWith(basePath) ? token : key}`,
      'idempotency-key': crypto.randomUUID(),
      [storeHeader]: 'S1',
      ...(method === 'get' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'get' ? {} : { payload: JSON.stringify(input['body'] ?? null) }),
  }
}

function schemaOf(schema: unknown): z.ZodType {
  const whole = JSON.stringify({ ...Object(schema), $defs: components.schemas })
  const own: unknown = JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/'))
  return z.fromJSONSchema(z.looseObject({}).parse(own))
}

test('the document has every call', () => {
  const calls = Object.keys({ ...endpoints, ...integrationEndpoints }).sort()
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(calls)
})

const Coded = z.object({ code: z.int(), message: z.string() })

describe(`${runs} requests generated from the document (SEED=${seed})`, () => {
  const codes = new Map<string, Set<number>>()

  test.each(operations.map((one) => [one.operation.operationId, one] as const))(
    'to %s are answered as it promises',
    { timeout: 30_000 + runs * 1_000 },
    async (id, described) => {
      const promised = new Map<number, z.ZodType>()
      const promisedFor = (status: number): z.ZodType | undefined => {
        const found = described.operation.responses[status]
        if (found === undefined) return undefined
        // Only for a status that occurs: to build a schema takes longer than to send a request.
        const [content] = Object.values(found.content ?? {})
        const schema = promised.get(status) ?? schemaOf(content?.schema ?? {})
        promised.set(status, schema)
        return schema
      }
      const told = new Set<number>()
      codes.set(id, told)
      // Another account, because wrong passwords are counted by account.
      const who = /^(change|confirm)Password$/.test(id) ? 'dan' : 'amy'
      let token = await logIn(shop, who)
      const good = allowed(shapeOf(described.operation), hintsOf(things))
      const requests = fc.oneof(good, corrupted(good))
      const property = fc.asyncProperty(requests, async (value) => {
        const answer = await shop.app.inject(requestOf(described, value, token))
        const status = answer.statusCode
        expect(status, answer.body).toBeLessThan(500)
        const schema = promisedFor(status)
        expect([status, schema?.safeParse(answer.json()).error]).toEqual([status, undefined])
        // A success of a key is the data itself.
        told.add(status === 200 ? (Coded.safeParse(answer.json()).data?.code ?? 0) : status)
        if (status === 401) token = await logIn(shop, who)
      })
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: repetitionLevel === 'long' })
    },
  )

  test('reach the verbs, and are not all refused before them', () => {
    const worked = [...codes].filter(([, told]) => told.has(0)).map(([id]) => id)
    expect(worked.length).toBeGreaterThan(30)
    const told = new Set([...codes.values()].flatMap((some) => Array.from(some)))
    expect(told.size).toBeGreaterThan(12)
  })

  test('kept every invariant', async () => {
    expect(await shop.violations()).toEqual([])
  })
})
