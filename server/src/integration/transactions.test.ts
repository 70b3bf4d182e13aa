import { postTransactions } from '@tillside/contract/integration/transactions'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, sendItems, testKey, itemResult } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

describe('POST /transactions', () => {
  let s: Shop
  let key: string
  const send = (...items: unknown[]) => sendItems(s, postTransactions, items, key)

  beforeAll(async () => {
    s = await testShop()
    key = (await testKey(s)).key
  })
  afterEach(async () => {
    expect(await s.violations()).toEqual([])
  })
  afterAll(() => s.close())

  it('records sale, return, exchange, deposit and what was cancelled, each its way', async () => {
    const { id, memberCode } = await testMember(s)
    const sale = receipt([['A', '60.00', 2]], { memberCode })
    const answer = await send(
      sale,
      receipt([['A', '60.00', -1]], { memberCode, original: nameOf(sale) }),
      receipt(
        [
          ['A', '60.00', -1],
          ['B', '80.00', 1],
        ],
        { memberCode, invoiceType: 'exchange', original: nameOf(sale) },
      ),
      receipt([['C', '500.00', 1]], { memberCode, status: 'deposit' }),
      receipt([['C', '500.00', 1]], { memberCode, status: 'cancelled' }),
    )
    expect(answer).toEqual({
      items: [
        { index: 0, outcome: 'created', points: 120 },
        { index: 1, outcome: 'created', points: -60, returned: returnedOf('60.00') },
        { index: 2, outcome: 'created', points: 20, returned: returnedOf('0.00') },
        { index: 3, outcome: 'created', points: 0 },
        { index: 4, outcome: 'created', points: 0 },
      ],
      created: 5,
      unchanged: 0,
      refused: 0,
    })
    expect((await s.totals(id)).balance).toBe(80)
  })

  it('does nothing for an unchanged repeat and refuses a changed one', async () => {
    const { id, memberCode } = await testMember(s)
    const items = [1, 2, 3].map((n) => receipt([['A', `${n}0.00`, 1]], { memberCode }))
    expect(await send(...items)).toMatchObject({ created: 3 })
    expect(await send(...items)).toMatchObject({ created: 0, unchanged: 3, refused: 0 })
    const [first] = items
    const { items: answers } = await send({ ...first, netSpend: '11.00' }, first)
    expect(answers.map(itemResult)).toEqual(['changed invoiceNumber:changed', 'unchanged'])
    expect((await s.totals(id)).balance).toBe(60)
  })

  it('lets one wrong item harm nobody, and names its index, field and reason', async () => {
    const { id, memberCode } = await testMember(s)
    const other = await testMember(s)
    const sale = receipt([['A', '10.00', 1]], { memberCode })
    const good = () => receipt([['A', '1.00', 1]], { memberCode })
    const back = (changes: object) => receipt([['A', '10.00', -1]], { memberCode, ...changes })
    const [items, wanted] = transposed<[unknown, string]>([
      [sale, 'created'],
      ['no object', 'invalid :wrongType'],
      [good(), 'created'],
      [{ ...good(), netSpend: 1 }, 'invalid netSpend:wrongType'],
      [{ ...good(), netSpend: '1' }, 'invalid netSpend:format'],
      [{ ...good(), tip: '1.00' }, 'invalid tip:unknownField'],
      [{ ...good(), occurredAt: '2026-02-30T04:00:00Z' }, 'invalid occurredAt:format'],
      [{ ...good(), memberCode: 'NOBODY' }, 'memberUnknown memberCode:memberUnknown'],
      [{ ...good(), storeCode: 'S7' }, 'storeUnknown storeCode:storeUnknown'],
      [
        back({ original: { invoiceNumber: 'NO', source: 1 } }),
        'originalUnknown original:originalUnknown',
      ],
      [
        back({ original: nameOf(sale), memberCode: other.memberCode }),
        'originalOtherMember original:originalOtherMember',
      ],
      [back({ original: nameOf(sale) }), 'created'],
      [back({ original: nameOf(sale) }), 'originalReturned netSpend:originalReturned'],
      [{ ...good(), original: nameOf(sale) }, 'invalid original:notAllowed'],
      [{ ...good(), invoiceNumber: 'a\u0000b' }, 'invalid invoiceNumber:text'],
      [{ ...sale, sales: 'Amy' }, 'changed invoiceNumber:changed'],
      [good(), 'created'],
    ])
    const answer = await send(...items)
    expect(answer.items.map(itemResult)).toEqual(wanted)
    expect(answer.items.map((item) => item.index)).toEqual(items.map((_, index) => index))
    expect(answer).toMatchObject({ created: 4, unchanged: 0, refused: 13 })
    expect((await s.totals(id)).balance).toBe(2)
  })

  it('refuses amounts that are none, at the field', async () => {
    const base = JSON.stringify(receipt([['A', '1.00', 1]]))
    const bad = ['-1', '0', '0.1', '1e309', '"10"', '" 10.00 "', '"１０.00"', '9007199254740993']
    const bodies = [...bad, 'null', '[]', '"1e3"', '"NaN"', '"1.001"'].map((value) =>
      base.replace(/"netSpend":"[^"]*"/, `"netSpend":${value}`),
    )
    const answer = await callWithKey(s, postTransactions, `{"items":[${bodies.join(',')}]}`, key)
    const { items } = postTransactions.data.parse(answer.data)
    expect(items).toHaveLength(bodies.length)
    for (const item of items) expect(itemResult(item)).toMatch(/^invalid netSpend:\w+$/)
  })

  it('answers in the language that is asked for', async () => {
    const items = [{ ...receipt([['A', '1.00', 1]]), memberCode: 'NOBODY' }]
    const headers = { 'user-language': 'zh-HK' }
    const answer = await callWithKey(s, postTransactions, { items }, key, headers)
    expect(answer.data).toMatchObject({ items: [{ message: '找不到會員' }] })
  })

  it('refuses a sale of too many points by name, and changes nothing', async () => {
    const rich = await testShop({ points: { ...rules, perUnit: '999999' } })
    const { memberCode } = await testMember(rich)
    const { key: theirs } = await testKey(rich)
    const sale = (price: string, day: string) =>
      receipt([], {
        memberCode,
        netSpend: price,
        totalAmount: price,
        occurredAt: `${day}T04:00:00Z`,
      })
    const ask = async (...items: object[]) =>
      (await sendItems(rich, postTransactions, items, theirs)).items.map(itemResult)
    expect(await ask(sale('1000000.00', '2024-02-10'))).toEqual(['created'])
    const before = await contentsOf(rich)
    // The first is beyond exact counting, the second above the limit of a sale. Before it counts a
    // sale on that day, the review of the ended tier is due.
    const tooMany = ['99999999999.00', '1000001.01'].map((price) => sale(price, '2026-03-10'))
    const refused = 'amountTooLarge netSpend:amountTooLarge'
    expect(await ask(...tooMany)).toEqual([refused, refused])
    expect(await contentsOf(rich)).toEqual(before)
    expect(await ask(...tooMany, sale('1.00', '2026-03-10'))).toEqual([refused, refused, 'created'])
    expect(await rich.violations()).toEqual([])
    await rich.close()
  })

  it('keeps a key to its stores', async () => {
    const { memberCode } = await testMember(s)
    const { key: till } = await testKey(s, { stores: ['S1'] })
    const items = ['S1', 'S2', null].map((storeCode) =>
      receipt([['A', '1.00', 1]], { memberCode, storeCode }),
    )
    const answer = await sendItems(s, postTransactions, items, till)
    const not = 'storeNotAllowed storeCode:storeNotAllowed'
    expect(answer.items.map(itemResult)).toEqual(['created', not, not])
  })

  it('does it once when the same batch arrives at the same time', async () => {
    const { id, memberCode } = await testMember(s)
    const items = Array.from({ length: 10 }, () => receipt([['A', '1.00', 1]], { memberCode }))
    const answers = await Promise.all([send(...items), send(...items), send(...items)])
    expect(answers.reduce((sum, a) => sum + a.created, 0)).toBe(10)
    expect(answers.reduce((sum, a) => sum + a.unchanged, 0)).toBe(20)
    expect((await s.totals(id)).balance).toBe(10)
  })

  it('takes 500 items, and a body of up to 8 MiB', async () => {
    const { memberCode } = await testMember(s)
    const items = Array.from({ length: 500 }, () => receipt([['A', '1.00', 1]], { memberCode }))
    expect(await send(...items)).toMatchObject({ created: 500 })
    const one = receipt([['A', '1.00', 1]])
    const wrong: [unknown, path: string, reason: string][] = [
      [{ items: [...items, one] }, 'items', 'tooLong'],
      [{ items: [] }, 'items', 'required'],
      [{}, 'items', 'required'],
      [{ items: [one], more: 1 }, 'more', 'unknownField'],
      [[one], '', 'wrongType'],
    ]
    for (const [body, path, reason] of wrong) {
      const answer = await callWithKey(s, postTransactions, body, key)
      expect(answer).toMatchObject({ status: 422, code: 'invalid' })
      expect(answer.problem?.errors).toMatchObject([{ path, code: reason }])
    }
    const huge = JSON.stringify({ items: [{ ...one, sales: 'x'.repeat(8 * 1024 * 1024) }] })
    expect(await callWithKey(s, postTransactions, huge, key)).toMatchObject({ status: 413 })
    const large = JSON.stringify({ items: [{ ...one, sales: 'x'.repeat(7 * 1024 * 1024) }] })
    expect(await callWithKey(s, postTransactions, large, key)).toMatchObject({
      data: { items: [{ reason: 'invalid', fields: [{ path: 'sales', reason: 'tooLong' }] }] },
    })
  })
})

const rules = {
  perUnit: '1',
  expiry: { kind: 'none' as const },
  names: {
    singular: { 'en-US': 'point', 'zh-HK': '分' },
    plural: { 'en-US': 'points', 'zh-HK': '分' },
  },
}

function transposed<T extends [unknown, unknown]>(pairs: readonly T[]): [T[0][], T[1][]] {
  return [pairs.map(([first]) => first), pairs.map(([, second]) => second)]
}

function returnedOf(moneyBack: string) {
  return { pointsBack: 0, forgiven: 0, moneyBack }
}
