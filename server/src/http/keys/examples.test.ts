import { writeFileSync } from 'node:fs'
import { exampleDay, exampleEntry, examples } from '@tillside/contract/integration/examples'
import type { IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { spendPoints } from '@tillside/contract/integration/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleShop } from '../../testing/example-shop.ts'
import { callWithKey } from '../../testing/factories/key.ts'
import { type Answers, answersFile, readAnswers } from './answers.ts'

// Sends the requests that the documentation shows, in their order, and compares the answers with
// those that it shows. `EXAMPLES=write` writes the answers instead; format the file afterwards.

const isWriting = process.env['EXAMPLES'] === 'write'
const shown = readAnswers()
const endpoints: Record<string, IntegrationEndpoint> = integrationEndpoints
const names = Object.keys(examples)
const written: Answers = {}

let shop: Awaited<ReturnType<typeof exampleShop>>
beforeAll(async () => {
  shop = await exampleShop()
})
afterAll(async () => {
  if (isWriting) writeFileSync(answersFile, JSON.stringify(written, null, 2))
  await shop.close()
})

test('there is an example of every call', () => {
  expect(names.toSorted()).toEqual(Object.keys(integrationEndpoints).toSorted())
})

describe('the examples of the documentation', () => {
  test.each(Object.entries(examples))('%s', async (name, { input, refused }) => {
    const endpoint = endpoints[name]
    if (endpoint === undefined) throw new Error(name)
    if (name === 'listMembers') await shop.waitForList()
    const good = await send(endpoint, input)
    expect(good.problem).toBeNull()
    const bad = await send(endpoint, refused.input)
    expect(bad.code).toBe(refused.code)
    if (name === 'postMembers') await shop.giveCoupons()
    if (name === 'spendPoints') {
      actual.set(exampleEntry, spendPoints.data.parse(good.data).entry.id)
    }
    written[name] = { data: asShown(good.data), problem: bad.problem }
    if (isWriting) return
    const given = shown[name]
    compare(given?.data, good.data, name)
    compare(given?.problem, bad.problem, name)
    const { documented = endpoint.data } = endpoint
    for (const data of [given?.data, good.data]) {
      expect(documented.safeParse(data).error?.issues).toBeUndefined()
    }
  })
})

function send(endpoint: IntegrationEndpoint, input: object) {
  // In one pass: an instant of this run may fall on the day of the examples.
  const text = JSON.stringify(input).replaceAll(exampleTime, (_, clock: string | undefined) =>
    clock === undefined ? shop.today : soon(clock),
  )
  const given: unknown = JSON.parse(
    [...actual].reduce((all, [known, real]) => all.replaceAll(known, real), text),
  )
  const key = endpoint.scope === 'test:clock' ? shop.practiceKey : shop.key
  return callWithKey(shop, endpoint, given, key, { 'tillside-store': 'NY001' })
}

/** An answer with the id that the examples use. */
function asShown(data: unknown): unknown {
  const id = actual.get(exampleEntry) ?? exampleEntry
  return JSON.parse(JSON.stringify(data).replaceAll(id, exampleEntry))
}

const exampleTime = new RegExp(`${exampleDay}(?:T(\\d\\d:\\d\\d:\\d\\d)Z)?`, 'g')
const firstSale = Date.parse(`${exampleDay}T15:04:05Z`)

/**
 * The time of an example, with the first sale a minute from now: the points of the shown answers
 * were given before it, and are spent first.
 */
function soon(clock: string): string {
  const after = Date.parse(`${exampleDay}T${clock}Z`) - firstSale
  return new Date(Date.now() + 60_000 + after).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Ids, codes and cursors of the documentation, and those of this run. */
const actual = new Map<string, string>()
const times = [/^\d{4}-\d{2}(-\d{2})?$/, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/]
const ids = [
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  // codes of coupons and members, and numbers of cards
  /^[\dA-Z]{11,16}$/,
  // cursors
  /^[\w-]{18,}$/,
]

/** Checks that an answer is the shown one, but for the values that differ from run to run. */
function compare(given: unknown, real: unknown, at: string): void {
  if (typeof given === 'string' && typeof real === 'string') {
    if (given === real) return
    const kind = [...times, ...ids].find((pattern) => pattern.test(given))
    expect(kind?.test(real) ?? false, `${at}: ${given} is shown, ${real} was answered`).toBe(true)
    if (kind !== undefined && ids.includes(kind)) actual.set(given, real)
    return
  }
  if (typeof given !== 'object' || given === null || typeof real !== 'object' || real === null) {
    return expect(real, at).toBe(given)
  }
  expect(Object.keys(real), at).toEqual(Object.keys(given))
  for (const [key, value] of Object.entries(given)) {
    compare(value, Reflect.get(real, key), `${at}.${key}`)
  }
}
