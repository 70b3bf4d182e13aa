import { readFileSync } from 'node:fs'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import {
  exampleCoupons,
  exampleDay,
  exampleEntry,
  examples,
  exampleStore,
} from '@tillside/contract/integration/examples'
import { z } from 'zod'
import { documentFile, runTool } from './install.ts'

// The collection for Postman, and for Bruno and other programs that read its format. It is made
// from the OpenAPI document, and has the same text on each machine.

const Named = z.looseObject({ key: z.string(), value: z.unknown() })
type Named = z.infer<typeof Named>
const Item = z.object({
  name: z.string(),
  request: z.looseObject({
    method: z.string(),
    header: z.array(Named).optional(),
    url: z.looseObject({ variable: z.array(Named), query: z.array(Named) }),
    body: z.looseObject({ raw: z.string().optional() }),
  }),
  response: z.array(z.looseObject({ code: z.number(), body: z.string().optional() })),
})
type Item = z.infer<typeof Item>
const Collection = z.looseObject({
  info: z.looseObject({ name: z.string(), schema: z.string() }),
  item: z.array(z.object({ name: z.string(), item: z.array(Item) })),
})

/** The folder with the calls of one sale, in their order. */
export const journeyFolder = 'A sale with loyalty'
const journey = [
  'postMembers',
  'postPoints',
  'findMember',
  'issueCoupons',
  'readCoupons',
  'calculateTransaction',
  'redeemOneCoupon',
  'previewSpending',
  'spendPoints',
  'cancelSpending',
  'postTransactions',
  'readPointHistory',
  'undoRedemption',
] as const satisfies readonly (keyof typeof integrationEndpoints)[]

/** Variables that a later call needs, by the call whose answer has them. */
const kept: Partial<Record<string, string>> = {
  [integrationEndpoints.issueCoupons.summary]:
    "pm.collectionVariables.set('couponCode', pm.response.json().coupons[0].code)",
  [integrationEndpoints.spendPoints.summary]:
    "pm.collectionVariables.set('entryId', pm.response.json().entry.id)",
}
const headers: Partial<Record<string, string>> = {
  'idempotency-key': '{{$guid}}',
  'tillside-store': '{{store}}',
}

/** The collection as text, made from the document in `documentFile`. */
export function makeCollection(): string {
  const file = `${documentFile}.collection.json`
  const options = ['folderStrategy=Tags', 'parametersResolution=Example']
  runTool('openapi2postmanv2', ['-s', documentFile, '-o', file, '-O', options.join(',')])
  const { info, item: folders } = Collection.parse(JSON.parse(readFileSync(file, 'utf8')))
  const made = folders.map(({ name, item }) => ({ name, item: item.map((one) => itemOf(one)) }))
  const all = made.flatMap(({ item }) => item)
  const steps = journey.flatMap((call) => {
    const step = all.find(({ name }) => name === integrationEndpoints[call].summary)
    return step === undefined ? [] : [{ name: step.name, event: step.event, request: step.request }]
  })
  const collection = {
    info: { name: info.name, description: info['description'], schema: info.schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: `http://127.0.0.1:8080${integrationBase}` },
      { key: 'key', value: '' },
      { key: 'store', value: exampleStore },
      { key: 'couponCode', value: exampleCoupons.WELCOME },
      { key: 'entryId', value: exampleEntry },
    ],
    event: [script("pm.test('the call succeeds', () => pm.response.to.have.status(200))")],
    item: [{ name: journeyFolder, item: steps }, ...made],
  }
  return `${JSON.stringify(collection, withoutNoise, 2)}\n`
}

/** The example of each call, by its summary. */
const inputs = new Map<string, Record<string, unknown>>(
  Object.entries(integrationEndpoints).map(([name, { summary }]) => [
    summary,
    { ...Object.entries(examples).find(([call]) => call === name)?.[1].input },
  ]),
)

function itemOf({ name, request, response }: Item) {
  const { body, url } = request
  const success = response.find(({ code }) => code === 200)
  const next = kept[name]
  return {
    name,
    event: next === undefined ? undefined : [script(next)],
    request: {
      ...request,
      header: request.header?.map((header) => headerOf(header)),
      url: {
        ...url,
        variable: url.variable.map((one) => ({ key: one.key, value: live(one.value) })),
        query: url.query.map(({ key }) => queryOf(key, inputs.get(name)?.[key])),
      },
      body: body.raw === undefined ? undefined : { ...body, raw: live(body.raw) },
    },
    response: [{ name: 'Success', status: 'OK', code: 200, body: success?.body }],
  }
}

function headerOf(header: Named): Named {
  const value = headers[header.key.toLowerCase()]
  if (value !== undefined) return { ...header, value }
  // Only for a caller who has read the thing before.
  return header.key.startsWith('If-') ? { ...header, value: '', disabled: true } : header
}

function queryOf(key: string, value: unknown): Named {
  const text = z.coerce.string().parse(value)
  return value === undefined ? { key, value: '', disabled: true } : { key, value: text }
}

/** A value of an example, with variables for codes of earlier answers and for the time. */
function live(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value
    .replaceAll(exampleCoupons.WELCOME, '{{couponCode}}')
    .replaceAll(exampleEntry, '{{entryId}}')
    .replaceAll(new RegExp(`"${exampleDay}T[^"]*"`, 'g'), '"{{$isoTimestamp}}"')
}

function script(exec: string) {
  return { listen: 'test', script: { type: 'text/javascript', exec: [exec] } }
}

/** Leaves out what the program adds: new ids each time, and fields that say nothing. */
function withoutNoise(key: string, value: unknown): unknown {
  const isNoise = ['id', '_postman_id', 'auth'].includes(key) && !isBearer(value)
  return isNoise || (key === 'disabled' && value === false) ? undefined : value
}

function isBearer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'bearer' in value
}
