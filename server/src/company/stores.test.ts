import { pointHistory } from '@tillside/contract/points'
import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import { expect, test } from 'vitest'
import { applyCompany } from '../setup/apply.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { testShop } from '../testing/factories/shop.ts'
import { twoServers } from '../testing/servers/two.ts'
import { callAt } from '../testing/servers/process.ts'

/** In two lists, one detail, and the lists of two other processes. */
const named = (name: string) => Array.from({ length: 5 }, () => ({ code: 'S1', name }))

test('a store has its new name in every list and process after company apply', async () => {
  const shop = await testShop()
  const [token, member] = [await logIn(shop), await testMember(shop)]
  const sale = receipt([['A', '10.00', 1]])
  await shop.send(member.id, sale)
  const { memberCode } = member
  const [{ invoiceNumber }, addresses] = [sale, await twoServers()]
  const asked = { memberCode, invoiceNumber }
  const stores = async () => {
    const { items: receipts } = await ok(shop, listTransactions, { memberCode }, { token })
    const { items: entries } = await ok(shop, pointHistory, { memberCode }, { token })
    const detail = await ok(shop, transactionDetail, asked, { token })
    const others = addresses.map(async (address) => {
      const { data } = await callAt(address, listTransactions, { memberCode }, token)
      return listTransactions.data.parse(data).items
    })
    const all = [...receipts, ...entries, detail, ...(await Promise.all(others)).flat()]
    return all.map(({ store }) => store)
  }
  expect(await stores()).toEqual(named('Harbour City'))
  const definition = testDefinition(shop.identifier)
  const renamed = definition.stores.map((store) =>
    store.code === 'S1' ? { ...store, name: 'Ocean Terminal' } : store,
  )
  await applyCompany(shop.database, {
    definition: { ...definition, stores: renamed },
    logo: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
    checksum: 'renamed',
  })
  expect(await stores()).toEqual(named('Ocean Terminal'))
  await shop.close()
})
