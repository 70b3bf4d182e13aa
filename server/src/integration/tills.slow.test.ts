import { randomUUID } from 'node:crypto'
import { redeemCoupon } from '@tillside/contract/coupon'
import { redeemOneCoupon } from '@tillside/contract/integration/coupons'
import { integrationBase, type IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { readPoints, spendPoints } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { seeded } from '../values/random.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { money, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { sendUntilAnswered } from '../testing/servers/process.ts'
import { twoServers, watchAtOnce } from '../testing/servers/two.ts'

// A hundred tills with keys of their own on two server processes. Each sends every request with its
// Idempotency-Key to both processes, at random moments, until it has the same answer twice.
const tills = 100
let s: Shop
let addresses: [string, string]
beforeAll(async () => {
  s = await testSpendingShop()
  addresses = await twoServers()
})
afterAll(() => s.close())

type Till = { key: string; random: () => number }

/** Sends a request to one process; repeats it after `Retry-After` while the other one runs it. */
async function send(
  { key }: Till,
  process: number,
  endpoint: IntegrationEndpoint,
  input: Record<string, unknown>,
  operation: string,
): Promise<string> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name]))
  const body = Object.entries(input).filter(([name]) => !endpoint.path.includes(`{${name}}`))
  const response = await sendUntilAnswered(`${addresses[process % 2]}${integrationBase}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': operation,
    },
    body: JSON.stringify(Object.fromEntries(body)),
  })
  const text = await response.text()
  if (response.status === 409 && text.includes('"keyRunning"')) {
    const seconds = z.coerce.number().check(z.positive()).parse(response.headers.get('retry-after'))
    await new Promise((wake) => setTimeout(wake, seconds * 1000))
    return send({ key, random: Math.random }, process, endpoint, input, operation)
  }
  expect([response.status, text]).toEqual([200, text])
  return text
}

/** Looks up the points on both processes, which then know the key. */
async function look({ key }: Till, memberCode: string): Promise<void> {
  const path = readPoints.path.replace('{memberCode}', memberCode)
  const headers = { authorization: `Bearer ${key}` }
  const answers = await Promise.all(
    addresses.map((address) => sendUntilAnswered(address + integrationBase + path, { headers })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
}

/** Sends the request twice, on both processes; the answers are the same. */
async function twice(till: Till, endpoint: IntegrationEndpoint, input: Record<string, unknown>) {
  const operation = randomUUID()
  const delay = () => new Promise((wake) => setTimeout(wake, till.random() * 30))
  const both = await Promise.all(
    [0, 1].map(async (process) => {
      await delay()
      return send(till, process, endpoint, input, operation)
    }),
  )
  return both
}

it('each request of a hundred tills, sent twice at once, has exactly one effect', async () => {
  // Made one after the other: only the tills compete, not the test for its own connections.
  const members: Awaited<ReturnType<typeof testMember>>[] = []
  const work: { till: Till; memberCode: string; couponCode: string }[] = []
  for (let n = 0; n < tills; n++) {
    // Four tills serve each member at once.
    const member = members[n % (tills / 4)] ?? (await testMember(s))
    if (!members.includes(member)) {
      members.push(member)
      await givePoints(s, member, 10_000)
    }
    const { key } = await testKey(s, { stores: ['S1'] })
    const till = { key, random: seeded(n) }
    const { memberCode } = member
    work.push({ till, memberCode, couponCode: await testCoupon(s, member) })
  }
  const atOnce = await watchAtOnce()
  const worked = await Promise.all(
    work.map(async ({ till, memberCode, couponCode }, n) => {
      await look(till, memberCode)
      const redeemed = await twice(till, redeemOneCoupon, { couponCode, memberCode })
      expect(redeemed[0]).toBe(redeemed[1])
      const input = n % 2 === 0 ? mug(memberCode) : money(memberCode)
      const spent = await twice(till, spendPoints, input)
      expect(spent[0]).toBe(spent[1])
      const items = [receipt([['A', '10.00', 1]], { memberCode, storeCode: 'S1' })]
      const sold = await twice(till, postTransactions, { items })
      const Sold = z.object({ created: z.int(), unchanged: z.int() })
      const counts = sold.map((text) => Sold.parse(JSON.parse(text)))
      expect(counts.reduce((sum, { created }) => sum + created, 0)).toBe(1)
      expect(counts.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(1)
      const { entry } = spendPoints.data.parse(JSON.parse(spent[0] ?? ''))
      return { couponCode, entryId: entry.id }
    }),
  )
  expect(new Set(worked.map(({ entryId }) => entryId)).size).toBe(tills)
  expect(await s.violations()).toEqual([])
  const { answered, wanted } = await atOnce([redeemCoupon, redeemPoints, postTransactions])
  expect(answered).toEqual(wanted)
  const { key } = await testKey(s)
  for (const { memberCode, id } of members) {
    const answer = await callWithKey(s, readPoints, { memberCode }, key)
    expect(readPoints.data.parse(answer.data).balance).toBe((await s.totals(id)).balance)
  }
})
