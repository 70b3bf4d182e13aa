import {
  integrationBase,
  type IntegrationEndpoint,
  storeHeader,
  tags,
} from '@tillside/contract/integration/endpoint'
import { schemaNames } from '@tillside/contract/integration/names'
import { type ProblemName, Problem } from '@tillside/contract/integration/problems'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { languageHeader, languages } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { statusOfProblem } from './problem.ts'

type Json = Record<string, unknown>

const Fields = z.record(z.string(), z.looseObject({}))
const ObjectSchema = z.looseObject({
  properties: Fields,
  required: z.optional(z.array(z.string())),
})
type ObjectSchema = z.infer<typeof ObjectSchema>
const Enum = z.looseObject({ enum: z.array(z.string()) })
const Variants = z.looseObject({ oneOf: z.array(ObjectSchema) })

/** The OpenAPI 3.1 document of the integration interface, made from the contract. */
export function keyOpenApiOf(endpoints: Record<string, IntegrationEndpoint>): Json {
  const schemas = namedSchemas()
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const operation = operationOf(name, endpoint, schemas)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillside integration interface',
      version: '1.0.0',
      summary: 'Members, points, coupons and sales for tills and web shops.',
      description:
        'Each request has an API key of the company. A success is the data itself. A refusal is ' +
        'an HTTP status with `application/problem+json`; its `code` is for programs. Money is a ' +
        'string, never a number. Times are RFC 3339 in UTC.',
      contact: { name: 'The operator of this server', url: 'https://example.com' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: integrationBase, description: 'This server' }],
    tags: tags.map((name) => ({ name, description: tagTexts[name] })),
    security: [{ key: [] }],
    paths,
    components: {
      schemas: schemas.all,
      parameters: { language, store, operationKey, ifMatch, ifNoneMatch },
      headers: { requestId },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, as `tillside key create` prints it.',
        },
      },
    },
  }
}

const tagTexts: Record<(typeof tags)[number], string> = {
  Members: 'Find, register and change members; terms and tier.',
  Points: 'Balance, history, gifts and spending.',
  Coupons: 'Check, redeem and issue coupons.',
  Sales: 'Send receipts and read them.',
  Events: 'Events that a webhook missed.',
}

const language = {
  name: languageHeader,
  in: 'header',
  description: 'A language tag (BCP 47). Texts are in the nearest language of the product.',
  schema: { type: 'string' },
  example: languages[0],
}
const store = {
  name: storeHeader,
  in: 'header',
  description:
    'The code of the store in which the call acts. A key of a single store does not need it.',
  schema: { type: 'string' },
  example: 'NY001',
}
const operationKey = {
  name: idempotencyHeader,
  in: 'header',
  required: true,
  description:
    'Any text of 1 to 255 visible ASCII characters that names this action. A repeat with the ' +
    'same key has no further effect and gets the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'till-7-2026-11-23-000123',
}
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of the member as it was read, in place of `version`.',
  schema: { type: 'string' },
}
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier answer. An unchanged answer is 304 without a body.',
  schema: { type: 'string' },
}
const requestId = {
  description: 'The id of the request, which the log of the server has too.',
  schema: { type: 'string', format: 'uuid' },
}

type Schemas = ReturnType<typeof namedSchemas>

/** The named schemas, and a function that makes a schema with references to them. */
function namedSchemas() {
  const all: Record<string, unknown> = {}
  function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    // A named schema is a reference only inside another one.
    const made = z.toJSONSchema(z.object({ whole: schema }), {
      io,
      metadata: schemaNames,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => simplify(jsonSchema),
    })
    const { properties, $defs = {} } = z
      .object({ properties: z.object({ whole: z.looseObject({}) }), $defs: z.optional(Fields) })
      .parse(pointed(made))
    for (const [name, definition] of Object.entries($defs)) all[name] ??= definition
    return properties.whole
  }
  schemaOf(Problem, 'output')
  return { all, schemaOf }
}

/** Formats that say all that their pattern says. */
const formats = new Set(['date', 'date-time', 'email', 'uuid'])

/** Makes a JSON schema readable for people and for generators of clients. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined && formats.has(schema.format)) {
    delete schema.pattern
    delete schema.allOf
  }
  // Every integer has these bounds; they say nothing.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // A record with these keys is an object with these properties.
  const keys = schema.propertyNames === undefined ? null : Enum.safeParse(schema.propertyNames)
  if (keys?.success === true) {
    const { additionalProperties: value = true } = schema
    schema.properties = Object.fromEntries(keys.data.enum.map((key) => [key, value]))
    schema.additionalProperties = false
    delete schema.propertyNames
  }
}

/** The JSON schema with references into the document's components, and without the names. */
function pointed(schema: unknown): unknown {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'))
}

function operationOf(name: string, endpoint: IntegrationEndpoint, schemas: Schemas): Json {
  const { method, counter } = endpoint
  const { parameters, body } = partsOf(endpoint, schemas)
  return {
    operationId: name,
    summary: endpoint.summary,
    description: `${endpoint.description}\n\nScope: \`${endpoint.scope}\`.`,
    tags: [endpoint.tag],
    'x-scope': endpoint.scope,
    parameters: [
      refer('language'),
      ...(counter === undefined ? [] : [refer('store')]),
      ...(counter?.endpoint.needsKey === true ? [refer('operationKey')] : []),
      ...(method === 'PATCH' ? [refer('ifMatch')] : []),
      ...(method === 'GET' ? [refer('ifNoneMatch')] : []),
      ...parameters,
    ],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: responsesOf(endpoint, schemas.schemaOf(endpoint.data, 'output')),
  }
}

function refer(parameter: string): Json {
  return { $ref: `#/components/parameters/${parameter}` }
}

/** Which parts of the input are in the path or the query, and which in the body. */
function partsOf(endpoint: IntegrationEndpoint, { schemaOf }: Schemas) {
  const { method, path, item } = endpoint
  const referred = schemaOf(endpoint.input, 'input')
  // A body may be a named schema; then nothing of it is in the path.
  if ('$ref' in referred) return { parameters: [], body: referred }
  const variants = Variants.safeParse(referred)
  const input = variants.data?.oneOf[0] ?? ObjectSchema.parse(referred)
  const isInPath = (field: string) => path.includes(`{${field}}`)
  const isInUrl = (field: string) => method === 'GET' || isInPath(field)
  const parameters = Object.entries(input.properties)
    .filter(([field]) => isInUrl(field))
    .map(([field, schema]) => ({
      name: field,
      in: isInPath(field) ? 'path' : 'query',
      required: isInPath(field) || (input.required?.includes(field) ?? false),
      schema,
    }))
  if (method === 'GET') return { parameters, body: null }
  const bodyOf = (schema: ObjectSchema) => withoutFields(schema, isInUrl)
  if (variants.success) {
    return { parameters, body: { ...referred, oneOf: variants.data.oneOf.map(bodyOf) } }
  }
  const body = bodyOf(input)
  if (item !== undefined) {
    const items = { ...body.properties['items'], items: schemaOf(item, 'input') }
    return { parameters, body: { ...body, properties: { ...body.properties, items } } }
  }
  return { parameters, body }
}

function withoutFields(schema: ObjectSchema, isLeftOut: (field: string) => boolean): ObjectSchema {
  const fields = Object.entries(schema.properties).filter(([field]) => !isLeftOut(field))
  const required = (schema.required ?? []).filter((field) => !isLeftOut(field))
  const { required: _required, ...rest } = schema
  return {
    ...rest,
    properties: Object.fromEntries(fields),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** The problems that an endpoint can answer with. */
export function problemsOf({ method, refusals, counter }: IntegrationEndpoint): ProblemName[] {
  const needsKey = counter?.endpoint.needsKey === true
  return [
    'invalid',
    'noPermission',
    'unauthorized',
    'notFound',
    'tooManyRequests',
    'internal',
    'unavailable',
    'unsupportedMediaType',
    ...(method === 'GET' ? [] : (['malformed', 'tooLarge'] as const)),
    ...(counter === undefined
      ? []
      : (['storeRequired', 'storeUnknown', 'storeNotAllowed', 'storeClosed'] as const)),
    ...(needsKey ? (['keyRequired', 'keyReused', 'keyRunning'] as const) : []),
    ...refusals,
  ]
}

function responsesOf(endpoint: IntegrationEndpoint, data: Json): Json {
  const isRead = endpoint.method === 'GET'
  const byStatus = Map.groupBy(problemsOf(endpoint), (name) => statusOfProblem[name])
  const refused = [...byStatus].map(([status, names]) => {
    const codes = [...new Set(names)]
    const schema = {
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        { type: 'object', properties: { code: { enum: codes } } },
      ],
    }
    const description = codes.map((code) => `\`${code}\``).join(', ')
    return [
      status,
      { description, headers: answerHeaders, content: { 'application/problem+json': { schema } } },
    ] as const
  })
  return {
    '200': {
      description: 'Success',
      headers: { ...answerHeaders, ...(isRead ? etagHeader : {}) },
      content: { 'application/json': { schema: data } },
    },
    ...(isRead ? { '304': { description: 'Not changed', headers: answerHeaders } } : {}),
    ...Object.fromEntries(refused),
  }
}

const answerHeaders = { 'Request-Id': { $ref: '#/components/headers/requestId' } }
const etagHeader = {
  ETag: { description: 'Names this answer.', schema: { type: 'string' } },
}
