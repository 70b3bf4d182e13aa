import {
  integrationBase,
  type IntegrationEndpoint,
  maxPage,
} from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { webhookEvents } from '@tillside/contract/integration/events'
import { Problem } from '@tillside/contract/integration/problems'
import pino from 'pino'
import { describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../../app.ts'
import { openDatabase } from '../../database/database.ts'
import { keyOpenApiOf, problemsOf } from './openapi.ts'
import { statusOfProblem } from './problem.ts'

const Parameter = z.union([
  z.strictObject({ $ref: z.string() }),
  z.looseObject({ name: z.string(), in: z.enum(['path', 'query']) }),
])
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().check(z.minLength(5)),
  description: z.string().check(z.minLength(20)),
  tags: z.array(z.string()),
  'x-scope': z.string(),
  parameters: z.array(Parameter),
  responses: z.record(z.string(), z.unknown()),
})
const json = 'application/json'
const Content = z.optional(z.record(z.string(), z.object({ example: z.optional(z.unknown()) })))
const Shown = z.object({
  requestBody: z.optional(z.object({ content: Content })),
  parameters: z.array(z.object({ in: z.optional(z.string()), example: z.optional(z.unknown()) })),
  responses: z.record(z.string(), z.object({ content: Content })),
})
const EventSchema = z.object({
  discriminator: z.object({
    propertyName: z.string(),
    mapping: z.record(z.string(), z.string()),
  }),
  oneOf: z.array(z.object({ $ref: z.string() })),
})
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

const document = keyOpenApiOf(integrationEndpoints)
const { paths, components } = Document.parse(document)
const all = Object.entries<IntegrationEndpoint>(integrationEndpoints)

/** The schemas of all parameters of paths and queries with this name. */
function parametersNamed(name: string): unknown[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters }) => parameters)
    .flatMap((one) => ('name' in one && one.name === name ? [one['schema']] : []))
}

describe('the OpenAPI document of the integration interface', () => {
  test('is served without a key', async () => {
    const database = openDatabase(inject('databaseUrl'), 1)
    const app = await createApp(database, pino({ level: 'silent' }))
    const response = await app.inject(`${integrationBase}/openapi.json`)
    expect(response.json()).toEqual(document)
    await app.close()
    await database.close()
  })

  test('contains every endpoint and nothing else', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(all.map(([, e]) => `${e.method} ${e.path}`).sort())
  })

  test.each(all)('%s: its name, its scope, its path and its statuses', (name, endpoint) => {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    expect(operation).toMatchObject({ operationId: name, 'x-scope': endpoint.scope })
    const inPath = operation?.parameters.filter((one) => 'in' in one && one.in === 'path') ?? []
    expect(inPath.map((one) => ('name' in one ? `{${one.name}}` : '')).sort()).toEqual(
      (endpoint.path.match(/\{\w+\}/g) ?? []).sort(),
    )
    const statuses = new Set(
      problemsOf(endpoint).map((problem) => String(statusOfProblem[problem])),
    )
    const success = endpoint.method === 'GET' ? ['200', '304'] : ['200']
    expect(Object.keys(operation?.responses ?? {}).sort()).toEqual([...success, ...statuses].sort())
    expect('requestBody' in (operation ?? {})).toBe(endpoint.method !== 'GET')
  })

  test.each(all)('%s: examples of a request, an answer and a problem', (name, endpoint) => {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    const { requestBody, parameters, responses } = Shown.parse(operation)
    if (endpoint.method !== 'GET') expect(requestBody?.content).toHaveProperty([json, 'example'])
    const inPath = parameters.filter((one) => one.in === 'path')
    expect(inPath.map(({ example }) => example)).toEqual(inPath.map(() => expect.any(String)))
    expect(responses['200']?.content).toHaveProperty([json, 'example'])
    const problems = Object.entries(responses).flatMap(([status, { content }]) => {
      const shown = Problem.safeParse(content?.['application/problem+json']?.example)
      return shown.success ? [[status, String(shown.data.status), shown.data.code] as const] : []
    })
    expect(problems).toHaveLength(1)
    const [[at, status, code] = []] = problems
    expect([name, at]).toEqual([name, status])
    expect(problemsOf(endpoint)).toContain(code)
  })

  test('has the limits that the server checks, and formats in place of patterns', () => {
    const limits = parametersNamed('limit')
    expect(limits.length).toBeGreaterThan(3)
    for (const schema of limits) {
      expect(schema).toEqual({ type: 'integer', minimum: 1, maximum: maxPage })
    }
    expect(parametersNamed('memberCode')[0]).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 32,
    })
    expect(parametersNamed('from')[0]).toEqual({ type: 'string', format: 'date' })
    expect(JSON.stringify(document)).not.toContain(
      JSON.stringify(z.regexes.date.source).slice(2, 30),
    )
  })

  test('names the type of each event', () => {
    const { discriminator, oneOf } = EventSchema.parse(components.schemas['Event'])
    expect(discriminator.propertyName).toBe('event')
    expect(Object.keys(discriminator.mapping).toSorted()).toEqual(webhookEvents.toSorted())
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }) => $ref))
  })

  test('has every schema that it refers to', () => {
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
    expect(referred.length).toBeGreaterThan(20)
    const missing = referred
      .map(([, name]) => name ?? '')
      .filter((name) => !(name in components.schemas))
    expect(missing).toEqual([])
  })
})
