import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { redeemCoupon } from '@tillside/contract/coupon'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { redeemPoints } from '@tillside/contract/points'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import type * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '../../database/database.ts'
import { type Command, hearCommands } from '../../testing/cluster/commands.ts'
import {
  connectOwner,
  isSameNode,
  type Node,
  readRows,
  readShard,
} from '../../testing/cluster/nodes.ts'
import { logIn, ok } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import { receipt } from '../../testing/factories/receipt.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, mug, testSpendingShop } from '../../testing/factories/spending.ts'

// What a call costs a cluster: the commands that the coordinator sends to the nodes. The session
// and the idempotency key are at another node than the member, so a change needs two.

let owner: pg.Client
// With one connection, none is opened within a call.
const database = openDatabase(inject('databaseUrl'), 1)
const commands: Command[] = []
hearCommands((command) => commands.push(command))
let shop: Shop
let token: string
let till: string
let member: { id: string; memberCode: string }
let memberNode: Node
const isAtMember = (node: Node) => isSameNode(node, memberNode)

const Session = z.object({ id: z.string() })

beforeAll(async () => {
  owner = await connectOwner()
  shop = await testSpendingShop({}, database)
  token = await logIn(shop)
  till = (await testKey(shop)).key
  const ofCompany = 'select staff_id as id from session where company_id = $1'
  const [session] = await readRows(owner, Session, ofCompany, [shop.id])
  const sessionNode = await readShard(owner, 'session', session?.id ?? '')
  do {
    member = await memberWith(shop, 10_000)
    memberNode = await readShard(owner, 'member', member.id)
  } while (isAtMember(sessionNode))
})
afterAll(async () => {
  await shop.app.close()
  await database.close()
  await owner.end()
})

async function keyElsewhere(): Promise<string> {
  for (;;) {
    const key = randomUUID()
    if (!isAtMember(await readShard(owner, 'operation', key))) return key
  }
}

/** Audit rows of reads are written in a batch after the answer. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== commands.length;) {
    before = commands.length
    await sleep(400)
  }
}

const around = /^(BEGIN|COMMIT|ROLLBACK|PREPARE)/

/** Counts the commands of a call. A few more nodes may have a stock, a key or a receipt. */
async function count(call: () => Promise<unknown>) {
  await quiet()
  commands.length = 0
  await call()
  const statements = commands.filter(({ text }) => !around.test(text)).length
  const nodes = new Set(commands.map(({ node }) => node)).size
  const isPrepared = commands.some(({ text }) => text.startsWith('PREPARE'))
  return { statements, nodes, phases: isPrepared ? 2 : 1, around: commands.length - statements }
}

const code = () => ({ memberCode: member.memberCode })

async function ask(endpoint: Endpoint, input: object): Promise<() => Promise<unknown>> {
  const key = await keyElsewhere()
  return () => ok(shop, endpoint, input, { token, key })
}

/** A receipt whose name is at another node than the member. */
async function sell(): Promise<() => Promise<unknown>> {
  for (;;) {
    const invoiceNumber = randomUUID()
    if (isAtMember(await readShard(owner, 'receipt_key', invoiceNumber))) continue
    const items = [receipt([['TEA', '12.50', 2]], { ...code(), invoiceNumber })]
    return async () =>
      expect((await callWithKey(shop, postTransactions, { items }, till)).problem).toBeNull()
  }
}

const calls: [string, () => Promise<() => Promise<unknown>>, statements: number, phases: 1 | 2][] =
  [
    ['look-up', () => ask(getOneCustomer, { code: member.memberCode }), 3, 1],
    ['home', () => ask(membershipInfo, code()), 2, 1],
    [
      'redeem',
      async () => ask(redeemCoupon, { ...code(), couponCode: await testCoupon(shop, member) }),
      8,
      2,
    ],
    ['sale', sell, 13, 2],
    ['spend', () => ask(redeemPoints, mug(member.memberCode)), 19, 2],
  ]

test.each(calls)('%s: statements, nodes and phases', async (name, prepare, statements, phases) => {
  // The first call fills what the process remembers.
  await (
    await prepare()
  )()
  const counted = await count(await prepare())
  console.info(`${name}: ${JSON.stringify(counted)}`)
  expect(counted).toMatchObject({ statements, phases })
  expect(counted.nodes).toBeGreaterThanOrEqual(2)
  // The session, the member, the key of the member or the receipt, and the stock.
  expect(counted.nodes).toBeLessThanOrEqual(4)
  // A beginning and a commit at each node, and a commit of the second phase.
  expect(counted.around).toBe((1 + phases) * counted.nodes)
})
