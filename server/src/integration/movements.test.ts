import { postPoints } from '@tillside/contract/integration/points'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { callWithKey, sendItems, testKey, itemResult } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

describe('POST /points', () => {
  let s: Shop
  let key: string
  const send = (...items: unknown[]) => sendItems(s, postPoints, items, key)

  beforeAll(async () => {
    s = await testShop()
    key = (await testKey(s)).key
  })
  afterEach(async () => {
    expect(await s.violations()).toEqual([])
  })
  afterAll(() => s.close())

  let number = 0
  const movement = (memberCode: string, type: string, points: unknown, more: object = {}) => {
    number += 1
    return { operationId: `OP-${number}`, memberCode, type, points, reason: 'as agreed', ...more }
  }

  it('moves points in all six ways, each with its own type in the history', async () => {
    const { id, memberCode } = await testMember(s)
    const answer = await send(
      movement(memberCode, 'adjustmentUp', 100),
      movement(memberCode, 'adjustmentDown', 10),
      movement(memberCode, 'specialAdd', 20),
      movement(memberCode, 'specialDeduct', 30),
      movement(memberCode, 'transferIn', 40, { storeCode: 'S1', invoiceNumber: 'MOVE-1' }),
      movement(memberCode, 'transferOut', 50),
    )
    expect(answer.items.map((item) => 'balance' in item && item.balance)).toEqual([
      100, 90, 110, 80, 120, 70,
    ])
    expect(await s.entries(id)).toEqual([
      [2, 100],
      [3, -10],
      [6, 20],
      [7, -30],
      [13, 40],
      [14, -50],
    ])
  })

  it('does an operation once, and refuses another one under its name', async () => {
    const { id, memberCode } = await testMember(s)
    const up = movement(memberCode, 'adjustmentUp', 100)
    const first = await send(up)
    const [made] = first.items
    expect((await send(up)).items).toEqual([{ ...made, outcome: 'unchanged' }])
    const answer = await send({ ...up, points: 101 }, { ...up, reason: 'again' }, up)
    expect(answer.items.map(itemResult)).toEqual([
      'changed operationId:changed',
      'changed operationId:changed',
      'unchanged',
    ])
    const once = movement(memberCode, 'adjustmentUp', 1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(once)))
    expect(answers.filter((a) => a.created === 1)).toHaveLength(1)
    expect((await s.totals(id)).balance).toBe(101)
  })

  it('takes no more than there is, and a refused operation can be asked again', async () => {
    const { id, memberCode } = await testMember(s)
    const down = movement(memberCode, 'transferOut', 5)
    const { items } = await send(down, movement(memberCode, 'adjustmentUp', 5), down, down)
    expect(items.map(itemResult)).toEqual([
      'pointsAboveBalance points:pointsAboveBalance',
      'created',
      'created',
      'unchanged',
    ])
    expect((await s.totals(id)).balance).toBe(0)
  })

  it('refuses what is no number of points, at the field', async () => {
    const { id, memberCode } = await testMember(s)
    const bad = ['-1', '0', '0.1', '1e309', '"10"', '" 10 "', '"１０"', '9007199254740993']
    const bodies = [...bad, 'null', '[10]', '{}', 'true', '1000000001'].map((value) =>
      JSON.stringify(movement(memberCode, 'adjustmentUp', 0)).replace(
        '"points":0',
        `"points":${value}`,
      ),
    )
    const answer = await callWithKey(s, postPoints, `{"items":[${bodies.join(',')}]}`, key)
    const { items } = postPoints.data.parse(answer.data)
    expect(items).toHaveLength(bodies.length)
    for (const item of items) expect(itemResult(item)).toMatch(/^invalid( points:\w+)+$/)
    expect((await s.totals(id)).balance).toBe(0)
  })

  it('names the field of everything else that is wrong', async () => {
    const { memberCode } = await testMember(s)
    const pairs: [object, string][] = [
      [{ type: 'earned' }, 'invalid type:notAllowed'],
      [{ operationId: '' }, 'invalid operationId:required'],
      [{ reason: 'a\nb' }, 'invalid reason:text'],
      [{ memberCode: 'NOBODY' }, 'memberUnknown memberCode:memberUnknown'],
      [{ storeCode: 'S7' }, 'storeUnknown storeCode:storeUnknown'],
    ]
    const items = pairs.map(([change]) => movement(memberCode, 'adjustmentUp', 1, change))
    expect((await send(...items)).items.map(itemResult)).toEqual(pairs.map(([, told]) => told))
    const { key: till } = await testKey(s, { stores: ['S2'] })
    const here = movement(memberCode, 'adjustmentUp', 1, { storeCode: 'S1' })
    const answer = await sendItems(s, postPoints, [here], till)
    expect(answer.items.map(itemResult)).toEqual(['storeNotAllowed storeCode:storeNotAllowed'])
  })

  it('is refused as JSON that is none', async () => {
    expect(await callWithKey(s, postPoints, '{"items":[', key)).toMatchObject({
      status: 400,
      code: 'malformed',
    })
    const plain = { 'content-type': 'text/plain' }
    expect(await callWithKey(s, postPoints, 'x', key, plain)).toMatchObject({ status: 415 })
  })
})
