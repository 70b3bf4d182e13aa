import { postTransactions } from '@tillside/contract/integration/transactions'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt, saleEffects } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { atLevel } from '../testing/repetition.ts'
import { type Direction, Knife } from './knife.ts'

// The connection ends at each moment of a till's sale that is one burst of statements. A repeat of
// the receipt then finds either everything or nothing.

const positions = atLevel({ short: 8, full: 40, long: 400 })

const sale = ({ memberCode }: { memberCode: string }) =>
  receipt([['TEA', '12.50', 2]], { memberCode })

describe(`a sale that is cut at ${positions} places`, () => {
  let knife: Knife
  let shop: Shop
  let key: string
  const counted: boolean[] = []
  beforeAll(async () => {
    const url = new URL(inject('databaseUrl'))
    knife = new Knife(Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(await knife.open())
    // One connection, so that the next request is the one that is cut.
    const database = openDatabase(url.href, 1)
    shop = await testShop({}, database, (_, isAnswered) => counted.push(isAnswered))
    key = (await testKey(shop)).key
  })
  afterAll(async () => {
    await shop.close()
    await knife.close()
  })

  const send = (items: object[]) => callWithKey(shop, postTransactions, { items }, key)

  test.each<Direction>(['request', 'answer'])('in the %s records all or nothing', async (way) => {
    const usual = await testMember(shop)
    // The key, the settings and the tiers are known, and the statement is prepared.
    for (let n = 0; n < 3; n++) await send([sale(usual)])
    counted.length = 0
    const length = (await knife.measure(() => send([sale(usual)])))[way]
    expect(counted).toEqual([true])
    const whole = await testMember(shop)
    await send([sale(whole)])
    const expected = await saleEffects(shop, whole)
    let isCut = 0
    for (let n = 0; n <= positions; n++) {
      const member = await testMember(shop)
      const items = [sale(member)]
      await send([sale(usual)])
      knife.cutAfter(Math.floor((n * (length - 1)) / positions), way)
      const first = await send(items)
      knife.spare()
      if (first.status !== 200) isCut++
      if (first.text.includes('"unchanged":true')) {
        expect((await saleEffects(shop, member))['receipts']).toBeNull()
      }
      const again = postTransactions.data.parse((await send(items)).data)
      expect(again.created + again.unchanged).toBe(1)
      if (first.status === 200) expect(again.unchanged).toBe(1)
      expect(await saleEffects(shop, member)).toEqual(expected)
    }
    expect(isCut).toBeGreaterThan(positions / 2)
    expect(await shop.violations()).toEqual([])
  })
})
