import { randomUUID } from 'node:crypto'
import { operationStatus } from '@tillside/contract/wire/operation'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { openDatabase } from '../database/database.ts'
import { waitUntil } from '../process/wait.ts'
import { waitersOf } from '../testing/cluster/lane.ts'
import { ok, takesOneRoundTrip } from '../testing/factories/company.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { type Change, changes, inputOf } from './changes/changes.ts'
import { Desk } from './changes/desk.ts'

// Each change of a clerk waits for the counts of the day, after it has claimed its key. Another
// process then sees that it runs, and afterwards its answer.

const database = openDatabase(inject('databaseUrl'))
const holder = new pg.Client({ connectionString: inject('ownerUrl') })
const other = new pg.Client({ connectionString: inject('ownerUrl') })
let desk: Desk
/** Another process. */
let elsewhere: Desk['shop']['app']
beforeAll(async () => {
  await Promise.all([holder.connect(), other.connect()])
  elsewhere = await createApp(database, pino({ level: 'silent' }), {})
  desk = await Desk.of(database, true)
})
afterEach(async () => {
  await holder.query('rollback')
  expect(await desk.shop.violations()).toEqual([])
})
afterAll(async () => {
  await Promise.all([elsewhere.close(), desk.shop.app.close(), holder.end(), other.end()])
  await database.close()
})

const Body = z.object({ code: z.number(), message: z.string(), data: z.unknown() })
const status = (key: string) =>
  ok({ app: elsewhere }, operationStatus, { key }, { token: desk.token })

test.each(Object.values<Change>(changes))('$name that waits is running', async (change) => {
  // The first change reads the clerk and the member, and makes the count of the day.
  for (const _ of [1, 2]) await (await nextChange(change)).send()
  const { key, send } = await nextChange(change)
  expect(await status(key)).toEqual({ state: 'unknown', answer: null })

  const waiters = await waitersOf(holder, other)
  await holder.query('begin')
  await holder.query('select from given_today where company_id = $1 for update', [desk.shop.id])
  desk.counted.length = 0
  const sending = send()
  expect(await waitUntil(async () => (await waiters()) === 1)).toBe(true)
  expect(await status(key)).toEqual({ state: 'running', answer: null })
  await holder.query('commit')

  const answer = Body.parse(JSON.parse((await sending).body))
  expect(answer.code).toBe(0)
  expect(desk.counted[0] === true).toBe(takesOneRoundTrip)
  expect(await status(key)).toEqual({ state: 'done', answer })
})

async function nextChange(change: Change) {
  const member = await memberWith(desk.shop, 5000)
  const input = await inputOf(change, desk, member)
  const key = randomUUID()
  return { key, send: () => desk.send(change.endpoint, key, input) }
}
