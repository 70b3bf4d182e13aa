import { basePath, type Endpoint, idempotencyHeader } from '@tillside/contract/wire/endpoint'
import {
  failures,
  type FailureName,
  HttpFailureData,
  httpFailures,
  implicitFailures,
} from '@tillside/contract/wire/failures'
import { integrationBase, type IntegrationEndpoint } from '@tillside/contract/integration'
import { factOf, facts } from '@tillside/contract/wire/facts'
import { languageHeader, languages } from '@tillside/contract/wire/language'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the wire, made from the contract and from nothing else. */
export function openApiOf(
  endpoints: Record<string, Endpoint>,
  integrationEndpoints: Record<string, IntegrationEndpoint>,
): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(integrationEndpoints)) {
    const path = integrationBase + endpoint.path
    const method = { [endpoint.method.toLowerCase()]: integrationOperationOf(name, endpoint) }
    paths[path] = { ...paths[path], ...method }
  }
  for (const [name, endpoint] of Object.entries(endpoints)) {
    paths[basePath + endpoint.path] = {
      [endpoint.method.toLowerCase()]: operationOf(name, endpoint),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillside',
      version: '1',
      description: 'What the portal, tills and other systems say to the server.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer' },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of `tillside key create`.',
        },
      },
    },
  }
}

function operationOf(name: string, endpoint: Endpoint): Json {
  const { parameters, body } = partsOf(endpoint, schemaOf(endpoint.input, 'input'))
  return {
    operationId: name,
    tags: [endpoint.path.split('/')[2] ?? 'auth'],
    ...(endpoint.access === 'public' ? {} : { security: [{ session: [] }] }),
    ...(Array.isArray(endpoint.access) ? { 'x-permission-any-of': endpoint.access } : {}),
    parameters: [
      languageParameter,
      ...(endpoint.needsKey
        ? [
            {
              name: idempotencyHeader,
              in: 'header',
              required: true,
              schema: { type: 'string', format: 'uuid' },
            },
          ]
        : []),
      ...parameters,
    ],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: responsesOf(endpoint),
  }
}

const languageParameter = {
  name: languageHeader,
  in: 'header',
  description: 'A language tag (BCP 47). The messages are in the nearest language of the product.',
  schema: { type: 'string', examples: languages },
}

/** A call with a key: its scope, the parts in path and query, and what each of its items is. */
function integrationOperationOf(name: string, endpoint: IntegrationEndpoint): Json {
  const input = schemaOf(endpoint.input, 'input')
  const properties = z.record(z.string(), z.unknown()).parse(input['properties'])
  const needed = new Set(z.array(z.string()).parse(input['required'] ?? []))
  const parameters = Object.entries(properties).flatMap(([field, schema]) => {
    const inPath = endpoint.path.includes(`{${field}}`)
    if (!inPath && endpoint.method !== 'GET') return []
    const required = inPath || needed.has(field)
    return [{ name: field, in: inPath ? 'path' : 'query', required, schema }]
  })
  const list = { ...z.looseObject({}).parse(properties['items'] ?? {}) }
  const items =
    endpoint.item === undefined ? list : { ...list, items: schemaOf(endpoint.item, 'input') }
  const body = { ...input, properties: { ...properties, items } }
  return {
    operationId: name,
    tags: ['integration'],
    security: [{ key: [] }],
    'x-scope': endpoint.scope,
    parameters: [languageParameter, ...parameters],
    ...(endpoint.method === 'GET'
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: responsesOf({ ...endpoint, needsKey: false }),
  }
}

function responsesOf(endpoint: Pick<Endpoint, 'data' | 'refusals' | 'needsKey'>): Json {
  const success = envelope(0, schemaOf(endpoint.data, 'output'))
  const names: FailureName[] = [
    ...implicitFailures.filter((name) => endpoint.needsKey || name !== 'keyReused'),
    ...endpoint.refusals,
  ]
  const listed = names.map((name) => `${failures[name].code} ${name}`).join(', ')
  const refusals = names.map((name) =>
    envelope(failures[name].code, schemaOf(failures[name].data, 'output')),
  )
  const refused = schemaOf(HttpFailureData, 'output')
  const http = Object.fromEntries(
    Object.values(httpFailures).map((status) => [
      String(status),
      {
        description: `code ${status}`,
        content: { 'application/json': { schema: envelope(status, refused) } },
      },
    ]),
  )
  return {
    '200': {
      description: `Success, or a refusal: ${listed}`,
      content: { 'application/json': { schema: { oneOf: [success, ...refusals] } } },
    },
    ...http,
  }
}

function envelope(code: number, data: Json): Json {
  return {
    type: 'object',
    properties: { code: { const: code }, message: { type: 'string' }, data },
    required: ['code', 'message', 'data'],
  }
}

/** Which part of the input travels in the query and which in the body. */
function partsOf(endpoint: Endpoint, input: Json): { parameters: Json[]; body: Json | null } {
  const all = z.record(z.string(), z.unknown()).safeParse(input['properties'])
  const needed = z.array(z.string()).safeParse(input['required'])
  const properties = Object.entries(all.success ? all.data : {})
  const required = needed.success ? needed.data : []
  const inQuery = (name: string): boolean =>
    endpoint.method === 'GET' || (endpoint.inQuery?.includes(name) ?? false)
  const parameters = properties
    .filter(([name]) => inQuery(name))
    .map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
  if (endpoint.method === 'GET') return { parameters, body: null }
  if (parameters.length === 0) return { parameters, body: input }
  const inBody = properties.filter(([name]) => !inQuery(name))
  return {
    parameters,
    body: {
      ...input,
      properties: Object.fromEntries(inBody),
      required: required.filter((name) => !inQuery(name)),
    },
  }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => {
      const fact = factOf(zodSchema)
      if (fact !== undefined) jsonSchema['x-permission-any-of'] = facts[fact]
    },
  })
  return rest
}

/**
 * Serves the document. It is made at the first request and kept: making it takes longer than the
 * rest of a start, and as long as several calls.
 */
export function serveOpenApi(app: FastifyInstance, makeDocument: () => object): void {
  let text: Buffer | undefined
  app.get(`${basePath}/openapi.json`, (_request, reply) => {
    text ??= Buffer.from(JSON.stringify(makeDocument()))
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}
