import { postTransactions } from '@tillside/contract/integration/transactions'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../database/database.ts'
import { sendItems, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import { testShop } from '../../testing/factories/shop.ts'

// A return in a company where a webhook gets its events. The route answers the first call of a
// process, which finds the webhook; `spending/events.test.ts` compares later ones.

const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(() => owner.connect())
afterAll(() => owner.end())

// Each in a company of its own, because a process remembers a webhook for ten minutes.
test.each(['transaction.recorded', 'points.changed'])('a return is sent as %s', async (event) => {
  const counted: boolean[] = []
  const shop = await testShop({}, openDatabase(inject('databaseUrl')), (_path, isAnswered) =>
    counted.push(isAnswered),
  )
  await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
  const { key } = await testKey(shop)
  const { id, memberCode } = await testMember(shop)
  const sale = receipt([['TEA', '12.50', 4]], { memberCode })
  const back = () => receipt([['TEA', '12.50', -1]], { memberCode, original: nameOf(sale) })
  for (const input of [sale, back()]) await sendItems(shop, postTransactions, [input], key)
  await owner.query(
    `insert into webhook (company_id, webhook_id, url, secret_variable, events)
     values ($1, 'crm', 'https://example.com/', 'SECRET', array[$2])`,
    [shop.id, event],
  )
  expect(await sendItems(shop, postTransactions, [back()], key)).toMatchObject({ created: 1 })
  const { rows } = await owner.query(
    'select event from event where company_id = $1 and member_id = $2',
    [shop.id, id],
  )
  expect(rows).toEqual([{ event }])
  expect(counted.slice(-2)).toEqual([true, false])
  await shop.close()
})
