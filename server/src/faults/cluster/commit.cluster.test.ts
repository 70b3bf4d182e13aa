import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayed, type Relayed } from '../../testing/cluster/relayed.ts'
import { logIn } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { testKey } from '../../testing/factories/key.ts'
import { testRegister } from '../../testing/factories/register-form.ts'
import { memberIn, signUp } from '../../testing/factories/registration.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, testSpendingShop } from '../../testing/factories/spending.ts'
import { Clerks } from '../clerks.ts'
import type { Person } from '../errands.ts'

// A change that writes on several nodes has to commit in two phases. Otherwise a node that is lost
// between their commits keeps only a part of the change.

let relayed: Relayed
let shop: Shop
beforeAll(async () => {
  relayed = await openRelayed()
  shop = await testSpendingShop({ register: testRegister }, relayed.database)
})
afterAll(async () => {
  await shop.app.close()
  await relayed.close()
})

const writes = /^(INSERT|UPDATE|DELETE|WITH)/

/** The transactions since the last look that wrote on several nodes, and those in one phase. */
function look() {
  const [several, inOnePhase]: [string[][], string[][]] = [[], []]
  let [texts, nodes, isPrepared, isEnding]: [string[], Set<string>, boolean, boolean] = [
    [],
    new Set(),
    false,
    false,
  ]
  const end = () => {
    if (nodes.size > 1) several.push(texts)
    if (nodes.size > 1 && !isPrepared) inOnePhase.push(texts)
    ;[texts, nodes, isPrepared, isEnding] = [[], new Set(), false, false]
  }
  for (const { text, node } of relayed.commands.splice(0)) {
    if (isEnding && !/^(COMMIT|ROLLBACK|PREPARE)/.test(text)) end()
    isEnding = /^(COMMIT|ROLLBACK)/.test(text)
    isPrepared ||= text.startsWith('PREPARE')
    if (writes.test(text)) nodes.add(node)
    texts.push(`${node} ${text.replaceAll(/\s+/g, ' ').slice(0, 70)}`)
  }
  end()
  return { several: several.length, inOnePhase }
}

test('a change that writes on several nodes commits in two phases', async () => {
  const people: Person[] = []
  for (let n = 0; n < 6; n++) {
    const member = await memberWith(shop, 100_000)
    const coupons: string[] = []
    for (let c = 0; c < 4; c++) coupons.push(await testCoupon(shop, member))
    people.push({ ...member, coupons, used: [], given: 100_000 })
  }
  const token = await logIn(shop)
  const counter = { token, key: (await testKey(shop)).key, people }
  const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  relayed.commands.length = 0
  const clerks = new Clerks(counter, () => [address])
  await clerks.work(1, 1, 120)
  const ofClerks = look()
  for (let n = 0; n < 20; n++) memberIn(await signUp(shop, token))
  const ofRegister = look()
  console.info(`several nodes: ${ofClerks.several} changes, ${ofRegister.several} registrations`)
  expect(clerks.tally.wrong).toEqual([])
  expect(ofClerks.several).toBeGreaterThan(40)
  expect({ clerks: ofClerks.inOnePhase, register: ofRegister.inOnePhase }).toEqual({
    clerks: [],
    register: [],
  })
}, 300_000)
