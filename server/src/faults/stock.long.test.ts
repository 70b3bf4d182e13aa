import { randomUUID } from 'node:crypto'
import {
  getStoreAssignedCoupons,
  issueCoupon,
  issueCouponByPoints,
} from '@tillside/contract/coupon'
import { cancelPoints, listGifts, redeemPoints } from '@tillside/contract/points'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { memberWith, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, type Door, openDoor, send } from './doors.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// During an upgrade the release that counts in the definitions works together with this one, which
// counts outside of them. They issue as many as there are, and no more.

const rounds = atLevel({ short: 4, full: 40, long: 200 })
const timeout = 120_000 + rounds * 10_000
const numbers = Array.from({ length: rounds }, (_, n) => n)
const base = { names: { 'en-US': 'x', 'zh-HK': 'x' }, kind: 'gift', validity: { days: 9 } } as const
const stock = 5
const { couponOutOfStock, giftOutOfStock, couponLimit } = failures

const oneOf = (couponId: string) => (member: { memberCode: string }) => {
  return { memberCode: member.memberCode, couponId, quantity: 1 }
}

const commit = commitBefore('server/migrations/0104_stock.sql')

describe.skipIf(commit === null)(`the release before the stock${unlessWithout(commit)}`, () => {
  let shop: Awaited<ReturnType<typeof testSpendingShop>>
  let earlier: Awaited<ReturnType<typeof checkOut>>
  let doors: [before: Door, now: Door]
  const servers: ServerProcess[] = []
  beforeAll(async () => {
    shop = await testSpendingShop({
      coupons: [
        ...numbers.map((n) => ({ ...base, id: `FEW${n}`, stock: stock + 2 })),
        ...numbers.map((n) => ({ ...base, id: `PAID${n}`, stock: stock + 2, pointsCost: 10 })),
        ...numbers.map((n) => ({ ...base, id: `ONCE${n}`, perMemberLimit: 2 })),
      ],
      gifts: numbers.map((n) => {
        return { id: `RARE${n}`, names: { 'en-US': 'x', 'zh-HK': 'x' }, points: 10, stock }
      }),
    })
    earlier = await checkOut(commit ?? '')
    const environment = { DATABASE_URL: inject('ownerUrl'), LOG_LEVEL: 'silent', METRICS_PORT: '0' }
    servers.push(startServer(environment, earlier.folder), startServer(environment))
    const [before, now] = await Promise.all(servers.map((server) => openDoor(server, shop)))
    if (before === undefined || now === undefined) throw new Error('two servers')
    doors = [before, now]
  }, timeout)
  afterAll(async () => {
    for (const { process } of servers) process.kill()
    await Promise.all(servers.map(({ ended }) => ended))
    await shop.close()
    await earlier.remove()
  })

  const ask = async (n: number, endpoint: Endpoint, input: object) => {
    const door = doors[n % 2 === 0 ? 0 : 1]
    return Envelope.parse(JSON.parse(await send({ door, endpoint, key: randomUUID(), input })))
  }
  /** Sends requests to both releases in turns, all at once. @returns how many had each code */
  async function race(endpoint: Endpoint, inputs: readonly object[]) {
    const codes: Record<number, number> = {}
    const answers = await Promise.all(inputs.map((input, n) => ask(n, endpoint, input)))
    for (const { code } of answers) codes[code] = (codes[code] ?? 0) + 1
    return { codes, answers }
  }
  const many = <T>(make: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 2 * stock }, (_, n) => make(n)))
  const members = () => many(() => memberWith(shop, 100))
  /** Lets each process issue one coupon first: it then knows the definition and the session. */
  async function prepare(endpoint: Endpoint, couponId: string): Promise<void> {
    for (const n of [0, 1]) {
      const { code } = await ask(n, endpoint, oneOf(couponId)(await memberWith(shop, 100)))
      expect(code).toBe(0)
    }
  }
  /** How many are left, by each of the releases. */
  async function left({ path }: Endpoint, itemId: string): Promise<unknown[]> {
    const { memberCode } = await memberWith(shop, 0)
    return Promise.all(
      doors.map(async ({ address, token }) => {
        const url = `${address}${basePath}${path}?memberCode=${memberCode}`
        const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
        const text = JSON.stringify(await answer.json())
        return new RegExp(`"${itemId}".*?"remaining":(\\d+|null)`).exec(text)?.[1]
      }),
    )
  }

  test(`a coupon is issued ${stock} times, in ${rounds} rounds`, { timeout }, async () => {
    for (const n of numbers) {
      await prepare(issueCoupon, `FEW${n}`)
      const inputs = (await members()).map(oneOf(`FEW${n}`))
      const { codes } = await race(issueCoupon, n % 2 === 0 ? inputs : inputs.toReversed())
      expect(codes).toEqual({ 0: stock, [couponOutOfStock.code]: stock })
    }
    expect(await left(getStoreAssignedCoupons, 'FEW0')).toEqual(['0', '0'])
  })

  test(
    `a coupon for points is issued ${stock} times`,
    {
      timeout,
    },
    async () => {
      for (const n of numbers) {
        await prepare(issueCouponByPoints, `PAID${n}`)
        const all = await members()
        const order = oneOf(`PAID${n}`)
        const { codes } = await race(issueCouponByPoints, all.map(order))
        expect(codes).toEqual({ 0: stock, [couponOutOfStock.code]: stock })
      }
    },
  )

  test(`a gift is given ${stock} times, and again after a return`, { timeout }, async () => {
    for (const n of numbers) {
      const all = await members()
      const wanted = all.map(({ memberCode }) => mug(memberCode, { giftId: `RARE${n}` }))
      const { codes, answers } = await race(redeemPoints, wanted)
      expect(codes).toEqual({ 0: stock, [giftOutOfStock.code]: stock })
      const given = answers.flatMap(({ code, data }, at) => {
        if (code !== 0) return []
        const { entry } = redeemPoints.data.parse(data)
        return [{ memberCode: all[at]?.memberCode, entryId: entry.id, reason: 'race' }]
      })
      const returned = await race(cancelPoints, given.slice(0, 3))
      expect(returned.codes).toEqual({ 0: 3 })
      const again = await race(redeemPoints, wanted)
      expect(again.codes).toEqual({ 0: 3, [giftOutOfStock.code]: 2 * stock - 3 })
    }
    expect(await left(listGifts, 'RARE0')).toEqual(['0', '0'])
  })

  test('a member gets no more than the limit', { timeout }, async () => {
    for (const n of numbers) {
      await prepare(issueCoupon, `ONCE${n}`)
      const member = await memberWith(shop, 0)
      const { codes } = await race(issueCoupon, await many(async () => oneOf(`ONCE${n}`)(member)))
      expect(codes).toEqual({ 0: 2, [couponLimit.code]: 2 * stock - 2 })
    }
  })

  test('and nothing is amiss: both releases have answered in one round trip', async () => {
    expect(await shop.violations()).toEqual([])
    for (const door of doors) {
      expect(await answeredAtOnce(door, issueCoupon)).toBeGreaterThan(0)
      expect(await answeredAtOnce(door, issueCouponByPoints)).toBeGreaterThan(0)
    }
  })
})
