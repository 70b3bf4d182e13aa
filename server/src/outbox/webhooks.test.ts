import { redeemCoupon } from '@tillside/contract/coupon'
import { type WebhookEvent, webhookEvents } from '@tillside/contract/integration/events'
import pino from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { startDelivery } from '../jobs/runner.ts'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { signatureOf } from './post.ts'
import { deliverOutbox } from './webhooks.ts'

const secret = 'a secret of the test, long enough'
const environment = { WEBHOOK_SECRET_TEST: secret }
const countAll = statement(
  `select count(*)::int as total, (count(*) filter (where delivered_at is null))::int as open,
     coalesce(max(attempts), 0)::int as attempts from outbox where company_id = $1`,
  z.object({ total: z.int(), open: z.int(), attempts: z.int() }),
)

const lockMessages = statement(
  'select seq from outbox where company_id = $1 and member_id = $2 for update',
  z.object({ seq: z.int() }),
)

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of closing.splice(0).toReversed()) await one.close()
})

async function listener(port?: number): Promise<Receiver> {
  const receiver = await startReceiver(port)
  closing.push(receiver)
  return receiver
}

async function shopTelling(url: string, events: readonly WebhookEvent[] = webhookEvents) {
  const webhook = { id: 'crm', url, secretVariable: 'WEBHOOK_SECRET_TEST', events: [...events] }
  const shop = await testShop({ webhooks: [webhook] })
  closing.push(shop)
  return shop
}

const deliver = (s: Shop, options: Parameters<typeof deliverOutbox>[2] = {}) =>
  deliverOutbox(s.database, s.id, { environment, now: true, ...options })
const counts = (s: Shop) => s.database.reading(s.id, (tx) => tx.one(countAll, [s.id]))

describe('what other systems are told', () => {
  it('tells of a member, points, a used coupon and a tier, each member’s in order', async () => {
    const receiver = await listener()
    const s = await shopTelling(receiver.url)
    const member = await testMember(s)
    await s.send(member.id, receipt([['A', '1200.00', 1]], { invoiceNumber: 'TOLD-1' }))
    const couponCode = await testCoupon(s, member)
    const { memberCode } = member
    await ok(s, redeemCoupon, { couponCode, memberCode }, { token: await logIn(s) })
    expect(await deliver(s)).toEqual({ done: 6, outcome: 'finished', problems: [] })
    expect(receiver.taken.map((m) => m.sequence)).toEqual([1, 2, 3, 4, 5, 6])
    const names = receiver.taken.map((m) => m.event)
    expect([names[0], new Set(names.slice(1, 4)), ...names.slice(4)]).toEqual([
      'member.created',
      new Set(['points.changed', 'tier.changed', 'transaction.recorded']),
      'coupon.issued',
      'coupon.redeemed',
    ])
    const told = Object.fromEntries(receiver.taken.map((m) => [m.event, m.data]))
    expect(told).toEqual({
      'member.created': {
        memberCode,
        registrationDate: '2026-01-05',
        registrationStore: null,
        marketingOptIn: expect.any(Boolean),
      },
      'points.changed': {
        memberCode,
        entryId: expect.any(String),
        type: 100000000,
        points: 1200,
        balance: 1200,
        invoiceNumber: 'TOLD-1',
        at: '2026-03-10T04:00:00Z',
      },
      'tier.changed': {
        memberCode,
        from: 'associate',
        to: 'green',
        startDate: '2026-03-10',
        expiryDate: '2027-03-31',
      },
      'transaction.recorded': expect.objectContaining({ memberCode, invoiceNumber: 'TOLD-1' }),
      'coupon.issued': expect.objectContaining({ memberCode, couponCode, couponId: 'TREAT' }),
      'coupon.redeemed': {
        memberCode,
        couponCode,
        couponId: 'TREAT',
        unionCode: null,
        storeCode: 'S1',
        invoiceNumber: null,
      },
    })
    expect(await deliver(s)).toMatchObject({ done: 0, outcome: 'finished' })
    expect(receiver.taken).toHaveLength(6)
  })

  it('signs each message with its time', async () => {
    const receiver = await listener()
    const s = await shopTelling(receiver.url)
    await testMember(s)
    await deliver(s)
    const [message] = receiver.taken
    if (message === undefined) throw new Error('nothing was told')
    const { raw, timestamp, signature } = message
    expect(signature).toBe(`v1=${signatureOf(secret, timestamp, raw)}`)
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(30)
    expect(signatureOf('another secret', timestamp, raw)).not.toBe(signature.slice(3))
  })

  it('writes nothing where nobody listens, and only what is asked for', async () => {
    const s = await testShop()
    closing.push(s)
    await givePoints(s, await testMember(s), 10)
    expect(await counts(s)).toMatchObject({ total: 0 })
    const receiver = await listener()
    const picky = await shopTelling(receiver.url, ['points.changed'])
    await givePoints(picky, await testMember(picky), 10)
    expect(await counts(picky)).toMatchObject({ total: 1 })
  })

  it('sends each of two receivers its own events', async () => {
    const [joined, moved] = [await listener(), await listener()]
    const both = { secretVariable: 'WEBHOOK_SECRET_TEST' }
    const webhooks = [
      { ...both, id: 'joined', url: joined.url, events: ['member.created' as const] },
      { ...both, id: 'moved', url: moved.url, events: ['points.changed' as const] },
    ]
    const s = await testShop({ webhooks })
    closing.push(s)
    await givePoints(s, await testMember(s), 10)
    expect(await deliver(s)).toMatchObject({ done: 2, outcome: 'finished' })
    const received = [joined, moved].map(({ taken }) => taken.map(({ event }) => event))
    expect(received).toEqual([['member.created'], ['points.changed']])
  })

  it('tells nothing of what was rolled back', async () => {
    const s = await shopTelling('http://127.0.0.1:1/')
    const member = await testMember(s)
    const before = await counts(s)
    expect(
      await s.send(member.id, receipt([['A', '1.00', 1]], { storeCode: 'NONE' })),
    ).toMatchObject({ outcome: 'refused' })
    expect(await counts(s)).toEqual(before)
  })
})

describe('a receiver that is', () => {
  it('down, slow, failing and then up gets everything once, in order', async () => {
    const gone = await startReceiver()
    await gone.close()
    const s = await shopTelling(gone.url)
    const member = await testMember(s)
    for (let n = 1; n <= 5; n++) await givePoints(s, member, n)

    const down = { done: 0, outcome: 'left', problems: ['crm: cannot be reached'] }
    expect(await deliver(s)).toEqual(down)
    const receiver = await listener(gone.port)
    receiver.behaviour = () => 'silent'
    const slow = { ...down, problems: ['crm: no answer in 300 ms'] }
    expect(await deliver(s, { timeoutMs: 300 })).toEqual(slow)
    receiver.behaviour = () => 'disconnect'
    expect(await deliver(s)).toEqual(down)
    for (const status of [500, 302, 404]) {
      receiver.behaviour = () => status
      expect(await deliver(s)).toEqual({ ...down, problems: [`crm: answered ${status}`] })
    }
    // Each run asked with the oldest message only: nothing overtakes it.
    expect(receiver.requestCount()).toBe(5)
    expect(await counts(s)).toEqual({ total: 6, open: 6, attempts: 6 })
    receiver.behaviour = () => 200
    expect(await deliver(s)).toEqual({ done: 6, outcome: 'finished', problems: [] })
    expect(receiver.taken.map((m) => m.sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(new Set(receiver.taken.map((m) => m.id)).size).toBe(6)
  })

  it('stuck on one member’s message gets the others’', async () => {
    const receiver = await listener()
    const s = await shopTelling(receiver.url)
    const [stuck, free] = [await testMember(s), await testMember(s)]
    await givePoints(s, stuck, 1)
    await givePoints(s, free, 1)
    receiver.behaviour = (m) => (m.data.memberCode === stuck.memberCode ? 500 : 200)
    expect(await deliver(s)).toMatchObject({ done: 2, outcome: 'left' })
    expect(await counts(s)).toMatchObject({ open: 2 })
  })

  it('failing is left alone for a while, and its member’s later messages with it', async () => {
    const receiver = await listener()
    const s = await shopTelling(receiver.url)
    const member = await testMember(s)
    await givePoints(s, member, 1)
    receiver.behaviour = () => 503
    expect(await deliver(s, { now: false })).toMatchObject({ done: 0, outcome: 'left' })
    receiver.behaviour = () => 200
    expect(await deliver(s, { now: false })).toMatchObject({ done: 0 })
    expect(receiver.requestCount()).toBe(1)
    expect(await deliver(s)).toMatchObject({ done: 2 })
  })

  it('told by eight processes at once gets each message once, in each member’s order', async () => {
    const receiver = await listener()
    const s = await shopTelling(receiver.url)
    const members = await Promise.all(Array.from({ length: 10 }, () => testMember(s)))
    // A hundred at once would wait too long for a connection on a cluster.
    for (let n = 0; n < 10; n++) await Promise.all(members.map((m) => givePoints(s, m, 1)))
    const runs = await Promise.all(Array.from({ length: 8 }, () => deliver(s, { now: false })))
    const rest = await deliver(s, { now: false })
    expect([...runs, rest].reduce((sum, run) => sum + run.done, 0)).toBe(110)
    for (const { memberCode } of members) {
      const of = receiver.taken.filter((m) => m.data.memberCode === memberCode)
      expect(of.map((m) => m.sequence)).toEqual(Array.from({ length: 11 }, (_, n) => n + 1))
    }
  })

  it('gets the messages that another process has not locked, without waiting', async () => {
    const receiver = await listener()
    const s = await shopTelling(receiver.url)
    const members = [await testMember(s), await testMember(s)]
    const [locked, free] = members
    await s.database.transaction(s.id, async (tx) => {
      await tx.all(lockMessages, [s.id, locked?.id])
      expect(await deliver(s)).toMatchObject({ done: 1 })
    })
    expect(receiver.taken.map((m) => m.data.memberCode)).toEqual([free?.memberCode])
    expect(await deliver(s)).toMatchObject({ done: 1 })
  }, 15_000)
})

it('without its secret tells nobody, and says so', async () => {
  const receiver = await listener()
  const s = await shopTelling(receiver.url)
  await testMember(s)
  for (const wrong of [{}, { WEBHOOK_SECRET_TEST: 'short' }]) {
    expect(await deliver(s, { environment: wrong })).toEqual({
      done: 0,
      outcome: 'left',
      problems: ['crm: WEBHOOK_SECRET_TEST holds no secret of 16 characters or more'],
    })
  }
  expect(receiver.requestCount()).toBe(0)
})

it('is delivered by tillside jobs run outbox', async () => {
  const receiver = await listener()
  const s = await shopTelling(receiver.url)
  await testMember(s)
  vi.stubEnv('WEBHOOK_SECRET_TEST', secret)
  const words = ['jobs', 'run', 'outbox', '--now', '--company', s.identifier]
  const { code, stdout } = await tillside(...words)
  expect(code).toBe(0)
  expect(stdout).toContain(`${s.identifier}  1     finished`)
  expect(receiver.taken).toHaveLength(1)
})

it('is delivered by a server that works, and by none that has stopped', async () => {
  const receiver = await listener()
  const s = await shopTelling(receiver.url)
  vi.stubEnv('WEBHOOK_SECRET_TEST', secret)
  const settings = { senders: null, pauseMs: () => 20 }
  const runner = startDelivery(s.database, pino({ level: 'silent' }), settings)
  await testMember(s)
  await vi.waitFor(() => expect(receiver.taken).toHaveLength(1), { timeout: 10_000 })
  await runner.stop()
  await testMember(s)
  await new Promise((wake) => setTimeout(wake, 100))
  expect(receiver.taken).toHaveLength(1)
})
