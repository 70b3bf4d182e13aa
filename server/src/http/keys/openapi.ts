import {
  integrationBase,
  type IntegrationEndpoint,
  storeHeader,
  tags,
} from '@tillside/contract/integration/endpoint'
import { examples } from '@tillside/contract/integration/examples'
import type { ProblemName } from '@tillside/contract/integration/problems'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { languageHeader, languages } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { type Answers, readAnswers } from './answers.ts'
import { statusOfProblem } from './problem.ts'
import { type Json, namedSchemas, ObjectSchema, type Schemas } from './schemas.ts'

const Variants = z.looseObject({ oneOf: z.array(ObjectSchema) })

/** The OpenAPI 3.1 document of the integration interface, made from the contract. */
export function keyOpenApiOf(endpoints: Record<string, IntegrationEndpoint>): Json {
  const schemas = namedSchemas()
  const answers = readAnswers()
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const operation = operationOf(name, endpoint, schemas, exampleOf(name, answers))
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
  'Test mode': 'The clock of a practice company; only for test keys.',
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

/** A request that succeeds, its answer, and the problem of one that is refused. */
type Example = Partial<Answers[string]> & { input: Json }

function exampleOf(name: string, answers: Answers): Example {
  const all: Record<string, { input: Json }> = examples
  return { ...answers[name], input: all[name]?.input ?? {} }
}

function operationOf(
  name: string,
  endpoint: IntegrationEndpoint,
  schemas: Schemas,
  example: Example,
): Json {
  const { method, path, counter } = endpoint
  const { parameters, body } = partsOf(endpoint, schemas, example.input)
  const sent = Object.entries(example.input).filter(([field]) => !path.includes(`{${field}}`))
  const content = { schema: body, example: Object.fromEntries(sent) }
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
      : { requestBody: { required: true, content: { 'application/json': content } } }),
    responses: responsesOf(endpoint, schemas, example),
  }
}

function refer(parameter: string): Json {
  return { $ref: `#/components/parameters/${parameter}` }
}

/** Which parts of the input are in the path or the query, and which in the body. */
function partsOf(endpoint: IntegrationEndpoint, { schemaOf }: Schemas, example: Json) {
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
      example: example[field],
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

function responsesOf(
  endpoint: IntegrationEndpoint,
  { schemaOf }: Schemas,
  { data, problem }: Example,
): Json {
  const success = schemaOf(endpoint.documented ?? endpoint.data, 'output')
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
    const shown = problem?.status === status ? { example: problem } : {}
    const content = { 'application/problem+json': { schema, ...shown } }
    return [status, { description, headers: answerHeaders, content }] as const
  })
  return {
    '200': {
      description: 'Success',
      headers: { ...answerHeaders, ...(isRead ? etagHeader : {}) },
      content: { 'application/json': { schema: success, example: data } },
    },
    ...(isRead ? { '304': { description: 'Not changed', headers: answerHeaders } } : {}),
    ...Object.fromEntries(refused),
  }
}

const answerHeaders = { 'Request-Id': { $ref: '#/components/headers/requestId' } }
const etagHeader = {
  ETag: { description: 'Names this answer.', schema: { type: 'string' } },
}
