import { postTransactions } from '@tillside/contract/integration/transactions'
import { addDays } from '@tillside/contract/rules/day'
import * as fc from 'fast-check'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../../app.ts'
import { openDatabase, statement } from '../../database/database.ts'
import { addDebit, lockAccount, noOrigin } from '../../points/ledger.ts'
import { lotsToSpend, sum } from '../../points/lots.ts'
import { countBursts } from '../../testing/bursts.ts'
import { testDefinition } from '../../testing/factories/definition.ts'
import { sendItems, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'
import { type Line, nameOf, receipt, saleEffects } from '../../testing/factories/receipt.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'
import type { TransactionInput } from '../input.ts'

// A return in one round trip has the effects and the answer of one in several.

let shop: Shop
/** A process that takes several round trips. */
let slow: Shop['app']
let key: string
const bursts = countBursts()
const counted: boolean[] = []
const count = (_path: string, isAnswered: boolean) => counted.push(isAnswered)

const { points } = testDefinition('a')
const couponRules = { returnGivesBack: true }
const names = { 'en-US': 'Spring', 'zh-HK': '春日' }
const spring = { names, from: '2026-03-01', to: '2026-03-31' }
const promotions = [
  { ...spring, id: 'DOUBLE', award: { multiplier: '2.5' } },
  { ...spring, id: 'TEA', skus: ['TEA', 'CUP'], award: { bonus: 7 } },
]

beforeAll(async () => {
  const rules = { ...points, perUnit: '0.7', promotions, returnGivesBackPoints: true }
  const expiry = { kind: 'months', months: 12 } as const
  const database = openDatabase(inject('databaseUrl'))
  shop = await testShop({ points: { ...rules, expiry }, couponRules }, database, count)
  slow = await createApp(database, pino({ level: 'silent' }), { oneRoundTrip: false })
})
beforeEach(async () => {
  key = (await testKey(shop)).key
  // The process knows the key, the settings and the tiers after a sale.
  await record(
    shop,
    receipt([['TEA', '1.00', 1]], { memberCode: (await testMember(shop)).memberCode }),
  )
  counted.length = 0
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(async () => {
  bursts.restore()
  await slow.close()
  await shop.close()
})

type Member = { id: string; memberCode: string }
const record = async (to: { app: Shop['app'] }, input: object) =>
  (await sendItems(to, postTransactions, [input], key)).items[0]

const prices: Record<string, string> = { TEA: '12.50', CUP: '3.33', BAG: '99.99' }
const skus = Object.keys(prices)
const step = fc.record({
  kind: fc.constantFrom('sale', 'return', 'return', 'return', 'spend'),
  goods: fc.uniqueArray(fc.tuple(fc.constantFrom(...skus), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    selector: ([sku]) => sku,
  }),
  day: fc.integer({ min: 0, max: 40 }),
  /** The sale that a return or a spending names. */
  of: fc.constantFrom(0, 0, 1, 1, 2),
  /** Whether a return has its lines; without them it is of money only. */
  lines: fc.constantFrom(true, true, false),
  /** A discount on the whole receipt, so that the lines do not add up. */
  discount: fc.constantFrom(0, 0, 0, 0.25),
  /** Whether a return names the member, or a spending its sale. */
  names: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const at = (day: number) => `${addDays('2026-02-24', day)}T15:59:59Z`

function saleOf({ goods, day, discount }: Step, { memberCode }: Member) {
  const lines = goods.map(([sku, pieces]): Line => [sku, prices[sku] ?? '', pieces + 1])
  const whole = receipt(lines)
  const netSpend = (Number(whole.netSpend) - discount).toFixed(2)
  const orderDiscount = discount.toFixed(2)
  return receipt(lines, { memberCode, occurredAt: at(day), netSpend, orderDiscount })
}

/** Returns some of the goods of a sale, sometimes more than it has. */
function returnOf(one: Step, sale: TransactionInput | undefined, { memberCode }: Member) {
  const sold = new Set(sale?.items.map((item) => item.skuCode))
  const goods = one.goods.filter(([sku]) => sold.size === 0 || sold.has(sku))
  const lines = goods.map(([sku, pieces]): Line => [sku, prices[sku] ?? '', -pieces])
  const { netSpend } = lines.length === 0 ? receipt([['TEA', '0.50', -1]]) : receipt(lines)
  const changes = {
    occurredAt: at(one.day),
    memberCode: one.names ? memberCode : null,
    original: sale === undefined ? { invoiceNumber: 'NEVER', source: 100000028 } : nameOf(sale),
    invoiceType: 'return' as const,
    totalAmount: netSpend,
    netSpend,
  }
  return receipt(one.lines ? lines : [], changes)
}

/** Spends up to 20 points; if the step names a sale, they pay for it. */
async function spend({ names: paid, day }: Step, sale: TransactionInput | undefined, of: Member) {
  await shop.database.transaction(shop.id, async (tx) => {
    const account = await lockAccount(tx, shop.id, of.id)
    if (account.balance <= 0) return
    const takes = await lotsToSpend(account, Math.min(20, account.balance), at(day).slice(0, 10))
    if (takes === null) return
    const invoiceNumber = paid ? (sale?.invoiceNumber ?? null) : null
    const from = { ...noOrigin, storeCode: 'S1', invoiceNumber, amount: '0.20' }
    const dates = { at: at(day), earnDate: null, expiryDate: null, reverses: null }
    await addDebit(
      account,
      { ...from, ...dates, type: 'redeemTransaction', points: sum(takes) },
      takes,
    )
  })
}

/** Runs the same life of two members, each by its process. @returns the ways of the first one */
async function live(steps: readonly Step[]): Promise<boolean[]> {
  counted.length = 0
  const members = [
    { member: await testMember(shop), to: shop },
    { member: await testMember(shop), to: { app: slow } },
  ]
  const lives = members.map((one) => Object.assign(one, { sales: new Array<TransactionInput>() }))
  for (const one of steps) {
    const answers: unknown[] = []
    for (const { member, to, sales } of lives) {
      const sale = sales[one.of]
      if (one.kind === 'spend') await spend(one, sale, member)
      else {
        const input = one.kind === 'sale' ? saleOf(one, member) : returnOf(one, sale, member)
        if (one.kind === 'sale') sales.push(input)
        answers.push(await record(to, input))
      }
    }
    expect(answers[0]).toEqual(answers[1])
  }
  const [quick, several] = await Promise.all(lives.map(({ member }) => saleEffects(shop, member)))
  expect(quick).toEqual(several)
  return [...counted]
}

test('many sales and returns of one member leave the same in both ways', async () => {
  const ways = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (life) => {
      const steps = life.map((one, n) => (n < 2 ? { ...one, kind: 'sale' as const } : one))
      for (const way of await live(steps)) ways.add(way)
    }),
    { numRuns: 40 },
  )
  expect(ways).toEqual(new Set([true, false]))
}, 180_000)

const endPeriod = statement(
  `update member_tier set tier_code = 'green', expiry_date = '2026-03-09'
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)
const tea = { memberCode: '' }
/** A member with a sale of four teas, and a receipt that returns one of them. */
async function withSale(changes: Partial<TransactionInput> = {}) {
  const member = await testMember(shop)
  const { memberCode } = member
  const sale = receipt([['TEA', '12.50', 4]], { ...tea, memberCode, ...changes })
  expect(await record(shop, sale)).toMatchObject({ outcome: 'created' })
  const back = (more: Partial<TransactionInput> = {}) =>
    receipt([['TEA', '12.50', -1]], { memberCode, original: nameOf(sale), ...more })
  counted.length = 0
  return { member, sale, back }
}

describe('in one round trip', () => {
  test('is a return of a member whom the process remembers', async () => {
    const { back } = await withSale()
    expect((await bursts.counted(() => record(shop, back()))).bursts).toBe(1)
  })

  test('is a part of a sale, and the rest of it', async () => {
    const { back } = await withSale()
    const returned = { pointsBack: 0, forgiven: 0, moneyBack: '12.50' }
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await record(shop, back()))
    expect(answers).toMatchObject(
      Array.from({ length: 4 }, () => ({ outcome: 'created', returned })),
    )
    expect(counted).toEqual([true, true, true, true])
    expect(await record(shop, back())).toMatchObject({ reason: 'originalReturned' })
  })

  test('is a return that names no member', async () => {
    const { back } = await withSale()
    expect(await record(shop, back({ memberCode: null }))).toMatchObject({ outcome: 'created' })
    expect(counted).toEqual([true])
  })
})

describe('in several round trips', () => {
  const coupons = [{ code: 'C-1', name: 'Ten', value: '10.00', quantity: 1 }]
  test.each([
    ['of a sale with a coupon', { coupons }, {}, 'created'],
    ['of a cancelled sale', { status: 'cancelled' }, {}, 'refused'],
    [
      'of the future',
      {},
      { occurredAt: new Date(Date.now() + 82_800_000).toISOString() },
      'created',
    ],
    ['of more than the sale', {}, { netSpend: '-99.00', totalAmount: '-99.00' }, 'refused'],
    ['at an unknown store', {}, { storeCode: 'S77' }, 'refused'],
    ['that names no sale', {}, { original: null }, 'created'],
    ['to the newest sale', {}, { original: 'newest' }, 'created'],
    ['an exchange', {}, { invoiceType: 'exchange' }, 'created'],
  ] as const)('is a return %s', async (_name, ofSale, ofReturn, outcome) => {
    const { back } = await withSale(ofSale)
    const input = 'netSpend' in ofReturn ? back({ ...ofReturn, items: [] }) : back(ofReturn)
    expect(await record(shop, input)).toMatchObject({ outcome })
    expect(counted).toEqual([false])
  })

  test('is a return after the end of a period, which reviews the tier', async () => {
    const { member, back } = await withSale()
    const owner = openDatabase(inject('ownerUrl'))
    await owner.transaction(shop.id, (tx) => tx.run(endPeriod, [shop.id, member.id]))
    await owner.close()
    expect(await record(shop, back())).toMatchObject({ outcome: 'created' })
    expect(counted).toEqual([false])
    expect(await saleEffects(shop, member)).toMatchObject({ tier: { tier_code: 'associate' } })
  })

  test('is a return of a sale of another member', async () => {
    const { back } = await withSale()
    const { memberCode } = await testMember(shop)
    expect(await record(shop, back({ memberCode }))).toMatchObject({
      reason: 'originalOtherMember',
    })
  })
})

/** Sends the receipts at once to two processes. @returns the number of items by outcome */
async function race(inputs: readonly TransactionInput[]): Promise<Record<string, number>> {
  const items = await Promise.all(
    inputs.map((input, n) => record(n % 2 ? { app: slow } : shop, input)),
  )
  const byOutcome = Object.groupBy(items, (item) => item?.outcome ?? 'none')
  return Object.fromEntries(
    Object.entries(byOutcome).map(([outcome, of]) => [outcome, of?.length ?? 0]),
  )
}

describe('at once, on two processes', () => {
  test('the same goods are returned exactly once', async () => {
    for (let round = 0; round < 5; round++) {
      const { back } = await withSale()
      const whole = { items: [], netSpend: '-50.00', totalAmount: '-50.00' }
      const inputs = Array.from({ length: 8 }, () => back(whole))
      expect(await race(inputs)).toEqual({ created: 1, refused: 7 })
    }
  })

  test('a return is recorded exactly once', async () => {
    for (let round = 0; round < 5; round++) {
      const input = (await withSale()).back()
      const inputs = Array.from({ length: 8 }, () => input)
      expect(await race(inputs)).toEqual({ created: 1, unchanged: 7 })
    }
  })
})
