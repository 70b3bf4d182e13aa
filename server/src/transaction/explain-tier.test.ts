import { explainTier } from '@tillside/contract/tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@tillside/contract/rules/day'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

let shop: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testShop()
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterAll(() => shop.close())

const noon = (day: string) => ({ occurredAt: `${day}T04:00:00Z` })
const explained = ({ memberCode }: { memberCode: string }) =>
  ok(shop, explainTier, { memberCode }, { token })

describe('the explanation of a tier’s gap', () => {
  test('lists the spend in the window, newest first, including returns', async () => {
    const member = await testMember(shop)
    const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`.replace('02-29', '02-28')
    const old = receipt([['A', '500.00', 1]], noon(yearAgo))
    const first = receipt([['A', '300.00', 1]], noon(addDays(yearAgo, 1)))
    const back = receipt([['A', '100.00', -1]], noon(addDays(today, -2)))
    const last = receipt([['A', '20.50', 1]], noon(addDays(today, -1)))
    for (const sale of [old, first, back, last]) await shop.send(member.id, sale)
    expect(await explained(member)).toEqual({
      standing: expect.objectContaining({
        code: 'associate',
        gradeSpend: '220.50',
        gapToNextTier: '779.50',
      }),
      window: { from: addDays(yearAgo, 1), to: today, kind: 'rolling12Months' },
      spend: [
        { date: addDays(today, -1), invoiceNumber: last.invoiceNumber, amount: '20.50' },
        { date: addDays(today, -2), invoiceNumber: back.invoiceNumber, amount: '-100.00' },
        { date: addDays(yearAgo, 1), invoiceNumber: first.invoiceNumber, amount: '300.00' },
      ],
      more: 0,
      moreAmount: '0.00',
      reevaluated: [],
    })
  })

  test('names the returns that changed the tier, in the requested language', async () => {
    const member = await testMember(shop)
    const sale = receipt([['A', '4000.00', 1]], noon(addDays(today, -3)))
    await shop.send(member.id, sale)
    const parts = ['900.00', '100.00', '3000.00'].map((part, n) =>
      receipt([['A', part, -1]], { original: nameOf(sale), ...noon(addDays(today, n - 2)) }),
    )
    for (const part of parts) await shop.send(member.id, part)
    const { reevaluated, standing } = await explained(member)
    expect(reevaluated.map(({ invoiceNumber, from, to }) => [invoiceNumber, from, to])).toEqual([
      [parts[2]?.invoiceNumber, 'Green', 'Associate'],
      [parts[0]?.invoiceNumber, 'Gold', 'Green'],
    ])
    expect(Math.abs(Date.parse(reevaluated[0]?.at ?? '') - Date.now())).toBeLessThan(60_000)
    expect(standing.code).toBe('associate')
  })

  test('shows the tier as the review will decide it, before the job has run', async () => {
    const member = await testMember(shop)
    await shop.send(member.id, receipt([['A', '4000.00', 1]], noon(addDays(today, -420))))
    await shop.send(member.id, receipt([['A', '300.00', 1]], noon(addDays(today, -1))))
    const early = await testMember(shop)
    await shop.send(early.id, receipt([['A', '4000.00', 1]], noon(addDays(today, -420))))
    // The second sale made a review of its own; the other member has none.
    const [reviewed, late] = [await explained(member), await explained(early)]
    expect(late.standing).toMatchObject({ gradeSpend: '0.00', gapToNextTier: '3250.00' })
    expect(late.standing).toMatchObject({
      code: reviewed.standing.code,
      startDate: reviewed.standing.startDate,
      expiryDate: reviewed.standing.expiryDate,
    })
  })

  test('sums up the sales after the newest hundred', async () => {
    const member = await testMember(shop)
    for (let n = 0; n < 103; n++) {
      await shop.send(member.id, receipt([['A', '1.10', 1]], noon(addDays(today, -1 - n))))
    }
    const { spend, more, moreAmount, standing } = await explained(member)
    expect([spend?.length, more, moreAmount]).toEqual([100, 3, '3.30'])
    expect(spend?.[0]?.date).toBe(addDays(today, -1))
    expect(standing.gradeSpend).toBe('113.30')
  })

  test('is empty without spend', async () => {
    expect(await explained(await testMember(shop))).toMatchObject({
      spend: [],
      more: 0,
      moreAmount: '0.00',
    })
  })

  test('begins with the calendar year if the company uses one', async () => {
    const t = await testShop({ tierRules: { window: 'calendarYear', validityMonths: 12 } })
    const { memberCode } = await testMember(t)
    const { window } = await ok(t, explainTier, { memberCode }, { token: await logIn(t) })
    expect(window).toEqual({ from: `${today.slice(0, 4)}-01-01`, to: today, kind: 'calendarYear' })
    await t.close()
  })

  test('is refused for an unknown member', async () => {
    const answer = await call(shop, explainTier, { memberCode: 'NOBODY' }, { token })
    expect(answer.code).toBe(111102)
  })
})
