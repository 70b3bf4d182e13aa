import { cancelPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { addDays } from '@tillside/contract/rules/day'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { pointRules, testSpendingShop } from '../testing/factories/spending.ts'
import { expireSome } from '../jobs/expiry.ts'
import { addDebit, lockAccount } from '../points/ledger.ts'

// A return reverses its sale: the member has afterwards as many points as without it.

const exchange = { minimum: 1, maximum: 5000, increment: 1, pointValue: '0.01', maxShare: null }
const rules = { ...pointRules, expiry: { kind: 'months', months: 1 }, exchange } as const
const [earned, adjusted, paid, returned, back, expired] = [0, 2, 15, 8, 9, 12]

const readLots = statement(
  `select lot_id, remaining from point_lot
   where company_id = $1 and member_id = $2 and remaining > 0`,
  z.object({ lot_id: z.string(), remaining: z.int() }),
)

describe.each(['debt', 'clamp'] as const)('under %s, a return', (refundPolicy) => {
  let s: Shop
  let token: string
  beforeAll(async () => {
    s = await testSpendingShop({ points: { ...rules, refundPolicy } })
    token = await logIn(s)
  })
  afterAll(async () => {
    expect(await s.violations()).toEqual([])
    await s.close()
  })
  const expire = () => s.database.transaction(s.id, (tx) => expireSome(tx, s.id, today()))
  const spend = async (memberCode: string, points: number, invoiceNumber?: string) => {
    const input = { memberCode, kind: 'transaction', points, invoiceNumber }
    const { entry } = await ok(s, redeemPoints, input, { token })
    return entry.id
  }
  const undo = (memberCode: string, entryId: string) =>
    ok(s, cancelPoints, { memberCode, entryId, reason: 'changed her mind' }, { token })

  it('does not take points that expired unspent, whether the job ran or not', async () => {
    for (const runsJob of [true, false]) {
      const member = await testMember(s)
      const old = receipt([['A', '100.00', 1]], day('2026-01-05'))
      await s.send(member.id, old)
      await givePoints(s, member, 70)
      if (runsJob) await expire()
      const original = nameOf(old)
      await s.send(member.id, receipt([['A', '100.00', -1]], { original, ...day(today()) }))
      await expire()
      expect(await s.totals(member.id, today())).toMatchObject({ balance: 70, valid: 70 })
      expect(await s.entries(member.id)).toEqual([
        [earned, 100],
        [adjusted, 70],
        [expired, -100],
      ])
    }
  })

  it('that arrives late takes points that had not expired on its own day', async () => {
    const member = await testMember(s)
    const old = receipt([['A', '100.00', 1]], day('2026-01-05'))
    await s.send(member.id, old)
    const onNextDay = day('2026-01-06')
    // Goods of an unknown sale take most points, so the return of the sale finds too few.
    await s.send(member.id, receipt([['B', '60.00', -1]], onNextDay))
    const whole = receipt([['A', '100.00', -1]], { original: nameOf(old), ...onNextDay })
    const isForgiven = refundPolicy === 'clamp'
    expect(await s.send(member.id, whole)).toMatchObject({ points: isForgiven ? -40 : -100 })
    await expire()
    expect(await s.entries(member.id)).toEqual([
      [earned, 100],
      [returned, -60],
      [returned, isForgiven ? -40 : -100],
    ])
  })

  it('takes spent points from the others, as if the sale had never been', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '100.00', 1]], day(today()))
    await s.send(member.id, sale)
    await givePoints(s, member, 150)
    await spend(member.memberCode, 80)
    const parts = [30, 70].map((part) =>
      receipt([['A', `${part}.00`, -1]], { original: nameOf(sale), ...day(today()) }),
    )
    for (const part of parts) await s.send(member.id, part)
    expect(await s.entries(member.id)).toEqual([
      [earned, 100],
      [adjusted, 150],
      [paid, -80],
      [returned, -30],
      [returned, -70],
    ])
    expect((await s.totals(member.id, today())).valid).toBe(70)
  })

  it('gives back the points that paid, by the share of the money', async () => {
    const member = await testMember(s)
    await givePoints(s, member, 500)
    const sale = receipt([['A', '10.00', 3]], day(today()))
    await spend(member.memberCode, 100, sale.invoiceNumber)
    await s.send(member.id, sale)
    const part = (quantity: number) =>
      receipt([['A', '10.00', quantity]], { original: nameOf(sale), ...day(today()) })
    expect(await s.send(member.id, part(-1))).toMatchObject({
      points: -10,
      returned: { pointsBack: 33, moneyBack: '10.00', forgiven: 0 },
    })
    expect(await s.send(member.id, part(-2))).toMatchObject({
      points: -20,
      returned: { pointsBack: 67, moneyBack: '20.00' },
    })
    expect((await s.entries(member.id)).slice(2)).toEqual([
      [earned, 30],
      [returned, -10],
      [back, 33],
      [returned, -20],
      [back, 67],
    ])
    expect(await s.totals(member.id, today())).toMatchObject({ balance: 500, valid: 500 })
  })

  it('names the money that the points had paid', async () => {
    const member = await testMember(s)
    await givePoints(s, member, 500)
    const sale = receipt([['A', '10.00', 3]], day(today()))
    await spend(member.memberCode, 100, sale.invoiceNumber)
    await s.send(member.id, sale)
    const original = nameOf(sale)
    for (const quantity of [-1, -2]) {
      await s.send(member.id, receipt([['A', '10.00', quantity]], { original, ...day(today()) }))
    }
    const { items } = await ok(s, pointHistory, { memberCode: member.memberCode }, { token })
    const amounts = items.map(({ type, points, amount }) => [type % 100, points, amount])
    expect(amounts.toReversed().slice(1)).toEqual([
      [paid, -100, '1.00'],
      [earned, 30, '30.00'],
      [returned, -10, '10.00'],
      [back, 33, '0.33'],
      [returned, -20, '20.00'],
      [back, 67, '0.67'],
    ])
  })

  it('leaves the points of others alone, in whatever parts the goods are returned', async () => {
    const member = await testMember(s)
    const first = receipt([['A', '30.00', 1]], day(today()))
    await s.send(member.id, first)
    const lotId = await givePoints(s, member, 10, addDays(today(), 1))
    const second = receipt([['B', '20.00', 1]], day(today()))
    await spend(member.memberCode, 40, second.invoiceNumber)
    await s.send(member.id, second)
    const parts = [
      [second, '10.00'],
      [first, '10.00'],
      [second, '10.00'],
      [first, '20.00'],
    ] as const
    for (const [sale, price] of parts) {
      const goods = sale === first ? 'A' : 'B'
      const origin = { original: nameOf(sale), ...day(today()) }
      await s.send(member.id, receipt([[goods, price, -1]], origin))
    }
    const lots = await s.database.transaction(s.id, (tx) => tx.all(readLots, [s.id, member.id]))
    expect(lots).toEqual([{ lot_id: lotId, remaining: 10 }])
  })

  it('lets points that paid and have expired come back for the days of grace', async () => {
    const member = await testMember(s)
    const lotId = await givePoints(s, member, 40, '2026-01-31')
    const sale = receipt([['A', '10.00', 1]], day('2026-01-31'))
    await s.database.transaction(s.id, async (tx) => {
      const account = await lockAccount(tx, s.id, member.id)
      const { invoiceNumber } = sale
      const dates = { at: '2026-01-31T04:00:00Z', earnDate: null, expiryDate: null }
      const nobody = { storeCode: 'S1', staffId: null, transactionId: null, description: null }
      const debit = { ...dates, ...nobody, invoiceNumber, amount: '0.40', reverses: null }
      const type = 'redeemTransaction'
      await addDebit(account, { ...debit, type, points: 40 }, [{ lotId, points: 40 }])
    })
    await s.send(member.id, sale)
    const whole = receipt([['A', '10.00', -1]], { original: nameOf(sale), ...day(today()) })
    expect(await s.send(member.id, whole)).toMatchObject({ returned: { pointsBack: 40 } })
    expect(await s.totals(member.id, today())).toMatchObject({
      balance: 40,
      expiringSoon: [{ points: 40, expiryDate: addDays(today(), 30) }],
    })
  })

  it('settles the shortfall of a return with the undo of the spending', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '100.00', 1]], day(today()))
    await s.send(member.id, sale)
    const spending = await spend(member.memberCode, 100)
    const whole = receipt([['A', '100.00', -1]], { original: nameOf(sale), ...day(today()) })
    const forgiven = refundPolicy === 'clamp' ? 100 : 0
    expect(await s.send(member.id, whole)).toMatchObject({
      points: forgiven - 100,
      returned: { forgiven },
    })
    expect((await s.totals(member.id, today())).balance).toBe(forgiven - 100)
    const { balance } = await undo(member.memberCode, spending)
    expect(balance).toBe(0)
    // Neither the returned sale nor the undone redemption counts.
    expect(await s.totals(member.id, today())).toMatchObject({ earned: 0, redeemedOrExpired: 0 })
    expect((await s.entries(member.id)).slice(2)).toEqual(
      refundPolicy === 'clamp'
        ? [
            [back, 100],
            [returned, -100],
          ]
        : [
            [returned, -100],
            [back, 100],
          ],
    )
  })

  it('gives back no points at all when the company wants none back', async () => {
    const t = await testSpendingShop({ points: { ...rules, returnGivesBackPoints: false } })
    const member = await testMember(t)
    await givePoints(t, member, 100)
    const sale = receipt([['A', '10.00', 1]], day(today()))
    const input = { memberCode: member.memberCode, kind: 'transaction', points: 100 }
    const asked = { ...input, invoiceNumber: sale.invoiceNumber }
    await ok(t, redeemPoints, asked, { token: await logIn(t) })
    await t.send(member.id, sale)
    const whole = receipt([['A', '10.00', -1]], { original: nameOf(sale), ...day(today()) })
    expect(await t.send(member.id, whole)).toMatchObject({ returned: { pointsBack: 0 } })
    expect((await t.totals(member.id, today())).balance).toBe(0)
    await t.close()
  })
})

function day(on: string) {
  return { occurredAt: `${on}T04:00:00Z` }
}

function today(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Hong_Kong' }).format(Date.now())
}
