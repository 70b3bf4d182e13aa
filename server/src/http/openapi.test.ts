import { basePath, type Endpoint, idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { failures, httpFailures, implicitFailures } from '@tillside/contract/wire/failures'
import pino from 'pino'
import { describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { openDatabase } from '../database/database.ts'
import { openApiOf } from './openapi.ts'

const Schema = z.record(z.string(), z.unknown())
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  security: z.optional(z.array(z.record(z.string(), z.array(z.string())))),
  'x-permission-any-of': z.optional(z.array(z.string())),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['header', 'query', 'path']),
      required: z.optional(z.boolean()),
      schema: Schema,
    }),
  ),
  requestBody: z.optional(
    z.object({ content: z.object({ 'application/json': z.object({ schema: Schema }) }) }),
  ),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string().check(z.minLength(1)),
      content: z.object({ 'application/json': z.object({ schema: Schema }) }),
    }),
  ),
})
const Document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ securitySchemes: z.object({ session: Schema }) }),
})
const OneOf = z.object({
  oneOf: z.array(z.object({ properties: z.object({ code: z.object({ const: z.int() }) }) })),
})

const document = Document.parse(openApiOf(endpoints))
const all = Object.entries<Endpoint>(endpoints)
function operationOf(endpoint: Endpoint) {
  const operation = document.paths[basePath + endpoint.path]?.[endpoint.method.toLowerCase()]
  if (operation === undefined) throw new Error(`${endpoint.path} is not described`)
  return operation
}

describe('the OpenAPI document', () => {
  test('is served without a session', async () => {
    const database = openDatabase(inject('databaseUrl'), 1)
    const app = await createApp(database, pino({ level: 'silent' }))
    const response = await app.inject(`${basePath}/openapi.json`)
    expect(response.statusCode).toBe(200)
    expect(Document.parse(response.json())).toEqual(document)
    await app.close()
    await database.close()
  })

  test('contains every endpoint and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const wanted = all.map(([, endpoint]) => `${endpoint.method} ${basePath}${endpoint.path}`)
    expect(described.sort()).toEqual(wanted.sort())
  })

  test.each(all)('%s: its name, its permissions and its input', (name, endpoint) => {
    const operation = operationOf(endpoint)
    expect(operation.operationId).toBe(name)
    expect(operation.security).toEqual(endpoint.access === 'public' ? undefined : [{ session: [] }])
    expect(operation['x-permission-any-of']).toEqual(
      Array.isArray(endpoint.access) ? endpoint.access : undefined,
    )
    expect(operation.requestBody !== undefined).toBe(endpoint.method === 'POST')
    const key = operation.parameters.find((parameter) => parameter.name === idempotencyHeader)
    expect(key?.required).toBe(endpoint.needsKey ? true : undefined)
  })

  test.each(all)('%s: every possible answer', (_name, endpoint) => {
    const { responses } = operationOf(endpoint)
    const success = OneOf.parse(responses['200']?.content['application/json'].schema)
    const codes = success.oneOf.map((answer) => answer.properties.code.const)
    const implicit = implicitFailures.filter((n) => endpoint.needsKey || n !== 'keyReused')
    const refusals = [...implicit, ...endpoint.refusals].map((n) => failures[n].code)
    expect(codes).toEqual([0, ...refusals])
    expect(new Set(codes).size).toBe(codes.length)
    expect(Object.keys(responses).sort()).toEqual(
      ['200', ...Object.values(httpFailures).map(String)].sort(),
    )
  })

  test.each(all)('%s: every schema has a type', (_name, endpoint) => {
    const operation = operationOf(endpoint)
    for (const { name, schema } of operation.parameters) {
      expect([name, Object.keys(schema).length > 0]).toEqual([name, true])
    }
    const data = z.toJSONSchema(endpoint.data, { unrepresentable: 'any' })
    expect(data.type ?? data.anyOf ?? data.oneOf).toBeDefined()
  })
})
