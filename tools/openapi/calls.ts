import { readFileSync } from 'node:fs'
import { examples, exampleStore } from '@tillside/contract/integration/examples'
import {
  integrationBase,
  type IntegrationEndpoint,
  tags,
} from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import type { ProblemName } from '@tillside/contract/integration/problems'
import { readAnswers } from '@tillside/server/http/keys/answers'
import { problemsOf } from '@tillside/server/http/keys/openapi'
import { describeProblem, statusOfProblem } from '@tillside/server/http/keys/problem'
import { z } from 'zod'
import { compact } from './compact.ts'
import { type Field, fieldsOf, typeOf } from './fields.ts'
import { documentFile } from './install.ts'

// docs/calls.md: each call of the integration interface, from the contract, the OpenAPI document
// and the examples.

const Operation = z.object({
  parameters: z.array(
    z.object({
      name: z.string().optional(),
      in: z.string().optional(),
      required: z.boolean().optional(),
      schema: z.unknown().optional(),
    }),
  ),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) })
    .optional(),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})
type Described = { name: string; endpoint: IntegrationEndpoint; rows: Field[] }

/** The page as text, made from the document in `documentFile`. */
export function makeCalls(): string {
  const { paths, components } = Document.parse(JSON.parse(readFileSync(documentFile, 'utf8')))
  const calls = Object.entries<IntegrationEndpoint>(integrationEndpoints).map(
    ([name, endpoint]) => {
      const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      return { name, endpoint, rows: rowsOf(Operation.parse(operation), components.schemas) }
    },
  )
  const parts = tags.map((tag) => calls.filter(({ endpoint }) => endpoint.tag === tag))
  const contents = tags.map((tag, n) => `**${tag}**: ${(parts[n] ?? []).map(linkOf).join(' · ')}`)
  const sections = tags.flatMap((tag, n) => [`## ${tag}`, (parts[n] ?? []).map(sectionOf)].flat())
  return `${[intro, common(calls), ...contents, ...sections].join('\n\n')}\n`
}

const intro = `# The calls

Each call of the [integration interface](integration.md), with an example. The tests send the
examples in a story to a new company \`aurora\`, and this page has the answers.
\`npm run client:types\` writes the page from the contract.

All paths start with \`${integrationBase}\`. Each request has the header
\`Authorization: Bearer <key>\`, and one with a body has \`Content-Type: application/json\`.
The table of a call has the fields of its path and its body, or of its query for a GET.
\`text (at most 32)\` counts characters, without spaces at the ends.`

function linkOf({ endpoint }: Described): string {
  return `[${endpoint.summary}](#${anchorOf(endpoint)})`
}

function anchorOf({ summary }: IntegrationEndpoint): string {
  return summary.toLowerCase().replaceAll(' ', '-')
}

/** The refusals that do not depend on the call. */
function common(calls: readonly Described[]): string {
  const whenOf = (problem: ProblemName): string => {
    const having = calls.filter(({ endpoint }) => problemsOf(endpoint).includes(problem))
    if (having.length === calls.length) return 'every call'
    if (having.every(({ endpoint }) => needsKey(endpoint))) return 'with `Idempotency-Key`'
    if (having.every(({ endpoint }) => endpoint.counter !== undefined)) return 'in a store'
    return 'with a body'
  }
  const names = [...new Set(calls.flatMap(({ endpoint }) => commonOf(endpoint)))]
  const rows = names
    .toSorted((a, b) => statusOfProblem[a] - statusOfProblem[b])
    .map((name) => `| ${statusOfProblem[name]} | \`${name}\` | ${whenOf(name)} |`)
  return `Refusals that many calls have ([what to do](integration.md#responses)):

| HTTP | \`code\` | calls |
| ---- | -------- | ----- |
${rows.join('\n')}`
}

function commonOf(endpoint: IntegrationEndpoint): ProblemName[] {
  const own = new Set<ProblemName>(endpoint.refusals)
  return problemsOf(endpoint).filter((name) => !own.has(name))
}

function needsKey({ counter }: IntegrationEndpoint): boolean {
  return counter?.endpoint.needsKey === true
}

function rowsOf(operation: z.infer<typeof Operation>, schemas: Record<string, unknown>): Field[] {
  const inUrl = operation.parameters.flatMap(({ name, in: place, required = false, schema }) =>
    name === undefined || place === undefined || place === 'header'
      ? []
      : [{ name, type: typeOf(schema, schemas), required }],
  )
  const body = operation.requestBody?.content['application/json']?.schema
  return [...inUrl, ...(body === undefined ? [] : fieldsOf(body, schemas))]
}

function sectionOf({ name, endpoint, rows }: Described): string {
  const { method, path, scope, summary, description, refusals } = endpoint
  const headers = [
    ...(endpoint.counter === undefined ? [] : ['`Tillside-Store`']),
    ...(needsKey(endpoint) ? ['`Idempotency-Key`'] : []),
    ...(method === 'PATCH' ? ['`If-Match`'] : []),
  ]
  const withHeaders = headers.length === 0 ? '' : ` · headers ${headers.join(', ')}`
  const own = refusals.map((one) => {
    const { status, detail } = describeProblem(one)
    return `| ${status} | \`${one}\` | ${detail} |`
  })
  const table = ['| HTTP | `code` | text |', '| ---- | -------- | ---- |', ...own].join('\n')
  const blocks = [
    `### ${summary}`,
    `\`${method} ${path}\` · scope \`${scope}\`${withHeaders}`,
    description,
    ...(rows.length === 0 ? [] : [tableOf(rows)]),
    requestOf(name, endpoint),
    answerOf(name),
    ...(own.length === 0 ? [] : [table]),
  ]
  return blocks.join('\n\n')
}

/** The answer of the example; one that an earlier call has is not printed again. */
function answerOf(name: string): string {
  const answers = readAnswers()
  const text = compact(answers[name]?.data)
  const first = Object.keys(integrationEndpoints).find(
    (other) => compact(answers[other]?.data) === text,
  )
  const all: Record<string, IntegrationEndpoint> = integrationEndpoints
  const earlier = all[first ?? name]
  if (first !== name && earlier !== undefined) {
    return `The answer is that of [${earlier.summary}](#${anchorOf(earlier)}).`
  }
  return `\`\`\`${/^ *\/\/ /m.test(text) ? 'jsonc' : 'json'}\n${text}\n\`\`\``
}

function tableOf(rows: readonly Field[]): string {
  const lines = rows.map(({ name, type, required, default: preset }) => {
    const need = preset === undefined ? '' : `\`${JSON.stringify(preset)}\` by default`
    return `| \`${name}\` | ${type} | ${required ? 'required' : need} |`
  })
  return ['| field | type | |', '| ----- | ---- | --- |', ...lines].join('\n')
}

/** The request of the example as it is sent, without the headers of every request. */
function requestOf(name: string, endpoint: IntegrationEndpoint): string {
  const input: Record<string, unknown> = {
    ...Object.entries(examples).find(([call]) => call === name)?.[1].input,
  }
  const inPath = new Set(endpoint.path.match(/(?<=\{)\w+(?=\})/g))
  const rest = Object.entries(input).filter(([field]) => !inPath.has(field))
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(input[field]))
  const isRead = endpoint.method === 'GET'
  const query = rest.map(([field, value]) => `${field}=${String(value)}`).join('&')
  const lines = [
    `${endpoint.method} ${integrationBase}${path}${isRead && query !== '' ? `?${query}` : ''}`,
    ...(endpoint.counter === undefined ? [] : [`Tillside-Store: ${exampleStore}`]),
    ...(needsKey(endpoint) ? ['Idempotency-Key: till-7-000123'] : []),
    ...(isRead ? [] : ['', compact(Object.fromEntries(rest))]),
  ]
  return `\`\`\`http\n${lines.join('\n')}\n\`\`\``
}
