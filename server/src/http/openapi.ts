import { basePath, type Endpoint, idempotencyHeader } from '@tillside/contract/wire/endpoint'
import {
  failures,
  type FailureName,
  HttpFailureData,
  httpFailures,
  implicitFailures,
} from '@tillside/contract/wire/failures'
import { factOf, facts } from '@tillside/contract/wire/facts'
import { languageHeader, languages } from '@tillside/contract/wire/language'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the wire, made from the contract and from nothing else. */
export function openApiOf(endpoints: Record<string, Endpoint>): Json {
  const paths: Record<string, Json> = {}
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
      description:
        'The calls of the portal. Tills and other systems have an interface of their own.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer' },
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
 * Serves a document. It is made at the first request and kept: making it takes longer than the
 * rest of a start, and as long as several calls.
 */
export function serveOpenApi(app: FastifyInstance, base: string, makeDocument: () => object): void {
  let text: Buffer | undefined
  app.get(`${base}/openapi.json`, (_request, reply) => {
    text ??= Buffer.from(JSON.stringify(makeDocument()))
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}
