import { readEvents, webhookEvents } from '@tillside/contract/integration/events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { startReceiver, type Receiver } from '../testing/servers/webhook-receiver.ts'
import { deliverOutbox } from '../outbox/webhooks.ts'

let shop: Shop
let receiver: Receiver
let key: string
beforeAll(async () => {
  receiver = await startReceiver()
  const secretVariable = 'WEBHOOK_SECRET_TEST'
  const webhook = { id: 'crm', url: receiver.url, secretVariable, events: [...webhookEvents] }
  shop = await testShop({ webhooks: [webhook] })
  key = (await testKey(shop, { scopes: ['events:read'] })).key
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await receiver.close()
  await shop.close()
})

async function page(input: object, by = key) {
  const { status, data } = await callWithKey(shop, readEvents, input, by)
  expect(status).toBe(200)
  return z.parse(readEvents.data, data)
}
/** All events, page by page. */
async function read(after: string | null, limit = '100') {
  const items = []
  let resumeAfter = after
  for (let next: string | null = after; ;) {
    const found = await page({ limit, ...(next === null ? {} : { after: next }) })
    items.push(...found.items)
    ;({ next, resumeAfter } = found)
    if (next === null) return { items, resumeAfter }
  }
}

test('a receiver that missed events reads the same events, page by page', async () => {
  expect(await page({})).toEqual({ items: [], next: null, resumeAfter: null })
  const member = await testMember(shop)
  for (let n = 1; n <= 6; n++) await givePoints(shop, member, n)
  const all = await read(null, '3')
  const environment = { WEBHOOK_SECRET_TEST: 'a secret of the test, long enough' }
  await deliverOutbox(shop.database, shop.id, { environment, now: true })
  const sent = receiver.taken.map(({ raw }): unknown => JSON.parse(raw))
  expect(all.items).toEqual(sent)
  expect(all.items).toHaveLength(7)

  expect(await read(all.resumeAfter)).toEqual({ items: [], resumeAfter: all.resumeAfter })
  await givePoints(shop, member, 7)
  const more = await read(all.resumeAfter)
  expect(more.items.map(({ sequence, data }) => [sequence, data['points']])).toEqual([[8, 7]])
  const since = new Date(Date.now() + 60_000).toISOString()
  expect((await page({ since })).items).toEqual([])
})

test('a reader among many writers misses no event and gets none twice', async () => {
  const { resumeAfter } = await read(null)
  const members = await Promise.all(Array.from({ length: 8 }, () => testMember(shop)))
  const state = { writing: true }
  const reading = Promise.all(
    [1, 2].map(async () => {
      const seen = []
      let place = resumeAfter
      for (let last = false; !last;) {
        last = !state.writing
        const found = await read(place, '7')
        seen.push(...found.items)
        place = found.resumeAfter
      }
      return seen
    }),
  )
  await Promise.all(
    members.map(async (member) => {
      for (let n = 1; n <= 10; n++) await givePoints(shop, member, n)
    }),
  )
  state.writing = false
  for (const seen of await reading) {
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    for (const { memberCode } of members) {
      const own = seen.filter(({ data }) => data.memberCode === memberCode)
      expect(own.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 11 }, (_, n) => n + 1),
      )
    }
  }
})

test('a key of single stores, another key’s cursor and another company get nothing', async () => {
  const { resumeAfter } = await read(null)
  const ofStore = await testKey(shop, { scopes: ['events:read'], stores: ['S1'] })
  expect((await callWithKey(shop, readEvents, {}, ofStore.key)).status).toBe(403)
  const other = await testKey(shop, { scopes: ['events:read'] })
  const stranger = { after: resumeAfter ?? '' }
  expect((await callWithKey(shop, readEvents, stranger, other.key)).status).toBe(422)
  expect((await callWithKey(shop, readEvents, { after: 'AAAA' }, key)).status).toBe(422)
  const elsewhere = await testShop()
  const { key: theirs } = await testKey(elsewhere, { scopes: ['events:read'] })
  expect((await page({}, theirs)).items).toEqual([])
  await elsewhere.close()
})
