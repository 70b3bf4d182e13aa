import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { login } from '@tillside/contract/auth'
import { redeemPoints } from '@tillside/contract/points'
import { failures } from '@tillside/contract/wire/failures'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { password } from '../testing/factories/company.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, testSpendingShop } from '../testing/factories/spending.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'

// A sale whose points come from several tills at once, at two processes on one database.
let shop: Shop
const servers: ServerProcess[] = []
let sessions: { address: string; token: string }[]

beforeAll(async () => {
  shop = await testSpendingShop()
  const addresses = await Promise.all(
    [0, 1].map(() => {
      const server = startServer({ DATABASE_URL: inject('ownerUrl'), LOG_LEVEL: 'silent' })
      servers.push(server)
      return server.ready
    }),
  )
  sessions = await Promise.all(
    addresses.map(async (address) => {
      const input = { identifier: shop.identifier, account: 'amy', password }
      const { data } = await post(address, login, input)
      return { address, token: z.object({ token: z.string() }).parse(data).token }
    }),
  )
})
afterAll(async () => {
  for (const { process } of servers) process.kill('SIGKILL')
  expect(await shop.violations()).toEqual([])
  await shop.close()
})

test.each([
  ['one member', 1],
  ['ten members', 10],
])('of forty redemptions of %s for one sale, exactly as many succeed as fit', async (_, count) => {
  const members = await Promise.all(Array.from({ length: count }, () => memberWith(shop, 9000)))
  const sale = { points: 300, transactionAmount: '50.00', invoiceNumber: `RACE ${count}` }
  const answers = await Promise.all(
    Array.from({ length: 40 }, (__, n) => {
      const { address, token } = sessions[n % 2] ?? { address: '', token: '' }
      const { memberCode } = members[n % count] ?? { memberCode: '' }
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
      return post(address, redeemPoints, money(memberCode, sale), headers)
    }),
  )
  // Half of 50.00 is 2,500 points: eight times 300.
  const codes = Object.groupBy(answers, ({ code }) => String(code))
  const tally = Object.fromEntries(Object.entries(codes).map(([code, all]) => [code, all?.length]))
  expect(tally).toEqual({ 0: 8, [failures.pointsAboveShare.code]: 32 })
})

test('a redemption waits for one that names another reference of its sale', async () => {
  const { memberCode } = await memberWith(shop, 9000)
  const { address, token } = sessions[0] ?? { address: '', token: '' }
  const redeem = (names: Record<string, unknown>) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
    return post(address, redeemPoints, money(memberCode, names), headers)
  }
  const [openSale, invoiceNumber] = ['WAIT open', 'WAIT both']
  expect(await redeem({ openSale, invoiceNumber })).toMatchObject({ code: 0 })
  const lock = statement(
    'select from paid_sale where company_id = $1 and reference = $2 for update',
    z.unknown(),
  )
  let answered = false
  const waiting = await shop.database.transaction(shop.id, async (tx) => {
    await tx.run(lock, [shop.id, openSale])
    const asked = redeem({ invoiceNumber }).then((answer) => {
      answered = true
      return answer
    })
    await pause(500)
    expect(answered).toBe(false)
    return { asked }
  })
  expect(await waiting.asked).toMatchObject({ code: 0 })
})
