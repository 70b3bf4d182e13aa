import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findCompany } from '../company/find.ts'
import { statement, type Transaction } from '../database/database.ts'
import { type Known, now, testMergeShop } from '../testing/merge-shop.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { record } from '../transaction/record.ts'

// A merge moves receipts to another member, and their place with them.

let t: Awaited<ReturnType<typeof testMergeShop>>
beforeAll(async () => {
  t = await testMergeShop()
})
afterAll(async () => {
  expect(await t.shop.violations()).toEqual([])
  await t.shop.close()
})

const tables = ['transaction', 'transaction_item', 'transaction_coupon', 'transaction_return']
const ofTable = (name: string) =>
  `select place, '${name}' as name from ${name} where company_id = $1`
const readPlaces = statement(
  `select place, array_agg(name order by name) as names from (
     ${tables.map(ofTable).join(' union all ')}
   ) placed group by place`,
  z.object({ place: z.string(), names: z.array(z.string()) }),
)

/** The tables of the rows at the place of each of these members, and then of all other rows. */
async function rowsAt(...members: readonly Known[]): Promise<string[][]> {
  const rows = await t.shop.database.reading(t.shop.id, (tx) => tx.all(readPlaces, [t.shop.id]))
  const at = new Map(rows.map(({ place, names }) => [place, names]))
  const ofMembers = members.map(({ id }) => at.get(id) ?? [])
  for (const { id } of members) at.delete(id)
  return [...ofMembers, [...at.values()].flat().toSorted()]
}

test('a merge and its undo move the place of receipts with all their rows', async () => {
  const [survivor, merged] = await t.two()
  const coupons = [{ code: 'PRINTED1', name: 'Printed', value: '1.00', quantity: 1 }]
  const free = receipt([['A', '10.00', 2]], now())
  await t.shop.send(null, free)
  const [own, other] = [0, 1].map(() => receipt([['A', '10.00', 3]], { coupons, ...now() }))
  if (own === undefined || other === undefined) throw new Error('two sales')
  await t.shop.send(survivor.id, own)
  await t.shop.send(merged.id, other)
  const back = (sale: typeof own) =>
    receipt([['A', '10.00', -1]], { original: nameOf(sale), ...now() })
  await t.shop.send(merged.id, back(other))
  // The sale has no member, and stays where it is.
  await t.shop.send(survivor.id, back(free))

  const sale = ['transaction', 'transaction_coupon', 'transaction_item']
  const returning = ['transaction', 'transaction_item']
  const before = await rowsAt(survivor, merged)
  const atSale = ['transaction_return']
  expect(before).toEqual(
    [
      [...sale, ...returning],
      [...sale, ...returning, ...atSale],
      [...returning, ...atSale],
    ].map((names) => names.toSorted()),
  )
  expect((await t.merge(survivor, merged)).code).toBe(0)
  const [first = [], second = [], third = []] = before
  expect(await rowsAt(survivor, merged)).toEqual([[...first, ...second].toSorted(), [], third])
  // Is found, and placed, by the survivor.
  await t.shop.send(survivor.id, back(other))
  const followed = [...second, ...returning, ...atSale].toSorted()
  expect((await t.unmerge(merged)).stderr).toBe('')
  expect(await rowsAt(survivor, merged)).toEqual([first, followed, third])
})

test('a return that found its sale before an unmerge is recorded for its member', async () => {
  const [survivor, merged] = await t.two()
  const sale = receipt([['A', '100.00', 1]], now())
  await t.shop.send(merged.id, sale)
  expect((await t.merge(survivor, merged)).code).toBe(0)
  const company = await findCompany(t.shop.database, t.shop.identifier)
  if (company === null) throw new Error('no company')
  const back = receipt([['A', '100.00', -1]], { original: nameOf(sale), ...now() })
  let [attempts, parted] = [0, false]
  const recorded = await t.shop.database.transaction(t.shop.id, (tx) => {
    attempts += 1
    const overtaken: Transaction = {
      ...tx,
      async maybe(s, values) {
        const found = await tx.maybe(s, values)
        if (!parted) expect((await t.unmerge(merged)).stderr).toBe('')
        parted = true
        return found
      },
    }
    return record(attempts === 1 ? overtaken : tx, company, null, back)
  })
  expect(attempts).toBe(2)
  expect(recorded).toMatchObject({ outcome: 'created', points: -100 })
  expect([await t.balanceOf(survivor), await t.balanceOf(merged)]).toEqual([0, 0])
})
