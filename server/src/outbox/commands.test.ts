import { webhookEvents } from '@tillside/contract/integration/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'
import { excerptLength, signatureOf } from './post.ts'
import { deliverOutbox } from './webhooks.ts'

// The commands for a receiver that missed events, and for its programmer.

const secret = 'a secret of the test, long enough'
let receiver: Receiver
let shop: Shop
beforeEach(async () => {
  receiver = await startReceiver()
  const secretVariable = 'WEBHOOK_SECRET_TEST'
  const webhook = { id: 'crm', url: receiver.url, secretVariable, events: [...webhookEvents] }
  shop = await testShop({ webhooks: [webhook] })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await receiver.close()
  await shop.close()
})

const deliver = () =>
  deliverOutbox(shop.database, shop.id, {
    environment: { WEBHOOK_SECRET_TEST: secret },
    now: true,
  })
const webhook = (verb: string, ...words: string[]) =>
  tillside('webhook', verb, shop.identifier, ...words)
async function json(verb: string, ...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await webhook(verb, ...words, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const run = (text: string) =>
  shop.database.transaction(shop.id, (tx) => tx.run(statement(text, z.unknown()), [shop.id]))

test('the log has each answer with its status, text, time and attempt', async () => {
  await testMember(shop)
  receiver.behaviour = () => 503
  receiver.answer = `no\u0000\n${'😀'.repeat(excerptLength)}`
  await deliver()
  receiver.behaviour = () => 'disconnect'
  await deliver()
  receiver.behaviour = () => 200
  receiver.answer = 'thank you'
  await deliver()
  const eventId = receiver.taken[0]?.id
  const about = { webhook: 'crm', event: 'member.created', eventId, ms: expect.any(Number) }
  expect(await json('log')).toMatchObject([
    { ...about, attempt: 3, status: 200, excerpt: 'thank you', problem: null },
    { ...about, attempt: 2, status: null, excerpt: '', problem: 'cannot be reached' },
    { ...about, attempt: 1, status: 503, problem: 'answered 503' },
  ])
  const failed = z.array(z.object({ excerpt: z.string() })).parse(await json('log', '--failed'))
  expect(failed).toHaveLength(2)
  expect(failed[1]?.excerpt).toMatch(/^no 😀/u)
  expect(failed[1]?.excerpt.length).toBeLessThanOrEqual(excerptLength)
  expect(await json('log', '--webhook', 'erp')).toEqual([])
  expect(await json('log', '--event', eventId ?? '', '--limit', '1')).toHaveLength(1)
  expect((await webhook('log')).stdout).toMatch(/member\.created {2}.* 3 .* 200 .* thank you/)
})

test('the list has the queue of each webhook and its last answer', async () => {
  receiver.behaviour = () => 500
  await testMember(shop)
  await deliver()
  expect(await json('list')).toMatchObject([
    {
      id: 'crm',
      url: receiver.url,
      secrets: ['WEBHOOK_SECRET_TEST'],
      stopped: false,
      waiting: 1,
      last: { problem: 'answered 500' },
    },
  ])
  receiver.behaviour = () => 200
  await deliver()
  expect(await json('list')).toMatchObject([{ waiting: 0, oldest: null, last: { problem: null } }])
})

test('events are sent again, by their ids or since a time, with the same ids', async () => {
  const member = await testMember(shop)
  await givePoints(shop, member, 1)
  await givePoints(shop, member, 2)
  await deliver()
  const ids = receiver.taken.map(({ id }) => id)
  const [, second = ''] = ids
  expect(await json('send-again', 'crm', second)).toMatchObject({ events: 1 })
  await deliver()
  expect(receiver.taken.map(({ id }) => id)).toEqual([...ids, second])
  const since = new Date(Date.now() - 3_600_000).toISOString()
  expect(await json('send-again', 'crm', '--since', since)).toMatchObject({ events: 3 })
  await deliver()
  expect(receiver.taken.map(({ id }) => id)).toEqual([...ids, second, ...ids])
  const wrong = [
    [['crm', crypto.randomUUID()], /event .* is/],
    [['erp', second], /webhook "erp" is unknown/],
    [['crm', 'seven'], /not an event id/],
    [['crm', '--since', 'yesterday'], /--since must be a time/],
    [['crm'], /name event ids/],
  ] as const
  for (const [words, reason] of wrong) {
    const { code, stderr } = await webhook('send-again', ...words)
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
  }
})

test('a test event is signed, and its answer printed', async () => {
  vi.stubEnv('WEBHOOK_SECRET_TEST', secret)
  expect(await webhook('test', 'crm')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^crm answered 200 in \d+ ms\nthank you\n$/),
  })
  const [message] = receiver.taken
  if (message === undefined) throw new Error('no test event')
  expect(message.event).toBe('webhook.test')
  expect(message.signature).toBe(`v1=${signatureOf(secret, message.timestamp, message.raw)}`)
  receiver.behaviour = () => 401
  vi.stubEnv('WEBHOOK_SECRET_TEST', secret)
  expect(await webhook('test', 'crm')).toMatchObject({
    code: 1,
    stderr: 'crm: answered 401\n',
  })
  vi.stubEnv('WEBHOOK_SECRET_TEST', '')
  expect((await webhook('test', 'crm')).stderr).toMatch(/holds no secret/)
  expect((await webhook('test', 'erp')).stderr).toMatch(/no webhook "erp"/)
})

test('events and answers are forgotten after 30 days, but not one that still waits', async () => {
  const member = await testMember(shop)
  await deliver()
  receiver.behaviour = () => 500
  await givePoints(shop, member, 1)
  await deliver()
  await run(`update event set created_at = now() - interval '31 days' where company_id = $1`)
  await run(
    `insert into delivery select company_id, member_id, uuidv7(), webhook_id, event_id, event,
       attempt, at - interval '31 days', status, excerpt, ms, problem
     from delivery where company_id = $1`,
  )
  expect(await json('log')).toHaveLength(4)
  await tillside('jobs', 'run', 'retention', '--now', '--company', shop.identifier)
  expect(await json('log')).toHaveLength(2)
  receiver.behaviour = () => 200
  await deliver()
  expect(receiver.taken.map(({ event }) => event)).toEqual(['member.created', 'points.changed'])
  await tillside('jobs', 'run', 'retention', '--now', '--company', shop.identifier)
  expect((await webhook('send-again', 'crm', receiver.taken[1]?.id ?? '')).code).toBe(1)
})
