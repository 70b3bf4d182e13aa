import { createCustomer } from '@tillside/contract/member'
import { webhookEvents } from '@tillside/contract/integration/events'
import pino from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { startDelivery } from '../jobs/runner.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { newForm } from '../testing/factories/registration.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { batchSize } from './deliver.ts'
import { type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'

// Several receivers of one company: real HTTP servers, some of which never answer.

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  // In this order: a hanging receiver ends the delivery that the runner waits for.
  for (const one of closing.splice(0)) await one.close()
})

/** A company whose first webhooks hang, and the last one answers. */
async function shopWith(hanging: number) {
  vi.stubEnv('WEBHOOK_SECRET_TEST', 'a secret of the test, long enough')
  const receivers = await Promise.all(Array.from({ length: hanging + 1 }, () => startReceiver()))
  closing.push(...receivers)
  for (const receiver of receivers.slice(0, hanging)) receiver.behaviour = () => 'silent'
  const shop = await testShop({
    webhooks: receivers.map(({ url }, n) => ({
      id: `r${n}`,
      url,
      secretVariable: 'WEBHOOK_SECRET_TEST',
      events: [...webhookEvents],
    })),
  })
  const healthy = receivers.at(-1)
  if (healthy === undefined) throw new Error('no receiver')
  return { shop, healthy, hangingOnes: receivers.slice(0, hanging) }
}

/** Starts a server's deliveries; they end before the company's database closes. */
function startServer(shop: Shop): void {
  const companies = () => Promise.resolve([{ id: shop.id, identifier: shop.identifier }])
  const settings = { senders: null, pauseMs: () => 50, companies }
  const runner = startDelivery(shop.database, pino({ level: 'silent' }), settings)
  closing.push({ close: () => runner.stop() }, shop)
}

async function register(shop: Shop, count: number): Promise<void> {
  const token = await logIn(shop)
  for (let n = 0; n < count; n++) {
    await ok(shop, createCustomer, newForm({}), { token, key: crypto.randomUUID() })
  }
}

async function taken(receiver: Receiver, count: number): Promise<void> {
  const arrived = () => expect(receiver.taken).toHaveLength(count)
  await vi.waitFor(arrived, { timeout: 20_000, interval: 20 })
}

it('a receiver that hangs delays no event of another one', async () => {
  const { shop, healthy, hangingOnes } = await shopWith(1)
  startServer(shop)
  await register(shop, 3)
  await taken(healthy, 3)
  // These hang in the first delivery, for longer than the whole test.
  await vi.waitFor(() => expect(hangingOnes[0]?.requestCount()).toBeGreaterThan(0))
  const hangs = hangingOnes[0]?.requestCount()
  await register(shop, 1)
  await taken(healthy, 4)
  // The new event did not wait for the end of a delivery that hangs.
  expect([hangingOnes[0]?.requestCount(), hangingOnes[0]?.taken]).toEqual([hangs, []])
})

it('a healthy receiver gets 60 events before three others give up the first', async () => {
  const { shop, healthy, hangingOnes } = await shopWith(3)
  const events = 60
  await register(shop, events)
  startServer(shop)
  await taken(healthy, events)
  for (const one of hangingOnes) expect(one.requestCount()).toBeLessThanOrEqual(batchSize)
})
