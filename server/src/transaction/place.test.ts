import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { findReceipt } from './receipt-key.ts'
import { offCluster, reasons } from '../testing/cluster/off-cluster.ts'

// The place of a receipt is its member, or the receipt itself where it has none (decision 132).

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
})
afterAll(() => owner.end())

const Placed = z.object({ table: z.string(), place: z.string() })
const placesSql = `select 'transaction' as table, place from transaction
    where company_id = $1 and transaction_id = $2
  union all select 'transaction_item', place from transaction_item
    where company_id = $1 and transaction_id = $2
  union all select 'transaction_coupon', place from transaction_coupon
    where company_id = $1 and transaction_id = $2
  union all select 'transaction_return', place from transaction_return
    where company_id = $1 and transaction_id = $2`
const readPlaces = statement(placesSql, Placed)

describe('a receipt', () => {
  let s: Shop
  beforeAll(async () => {
    s = await testShop()
  })
  afterAll(async () => {
    expect(await s.violations()).toEqual([])
    await s.close()
  })

  const places = async (id: string) =>
    Object.fromEntries(
      (await s.database.reading(s.id, (tx) => tx.all(readPlaces, [s.id, id]))).map((row) => [
        row.table,
        row.place,
      ]),
    )
  const send = async (memberId: string | null, input: ReturnType<typeof receipt>) => {
    const sent = await s.send(memberId, input)
    if (sent.outcome !== 'created') throw new Error(sent.outcome)
    return sent.transactionId
  }
  const coupons = [{ code: 'PRINTED1', name: 'Printed', value: '1.00', quantity: 1 }]

  test('has the place of its member, or is its own place', async () => {
    const member = await testMember(s)
    const sale = await send(member.id, receipt([['A', '10.00', 2]], { coupons }))
    expect(await places(sale)).toEqual({
      transaction: member.id,
      transaction_item: member.id,
      transaction_coupon: member.id,
    })
    const other = await send(null, receipt([['A', '10.00', 2]], { coupons }))
    expect(await places(other)).toEqual({
      transaction: other,
      transaction_item: other,
      transaction_coupon: other,
    })
  })

  test('takes back from a sale without a member at the place of the sale', async () => {
    const member = await testMember(s)
    const input = receipt([['A', '10.00', 3]])
    const sale = await send(null, input)
    const back = (quantity: number) =>
      receipt([['A', '10.00', quantity]], { original: nameOf(input) })
    const ofMember = await send(member.id, back(-1))
    expect(await places(ofMember)).toEqual({
      transaction: member.id,
      transaction_item: member.id,
      transaction_return: sale,
    })
    const ofNone = await send(null, back(-1))
    expect(await places(ofNone)).toEqual({
      transaction: ofNone,
      transaction_item: ofNone,
      transaction_return: sale,
    })
    // Both have taken a piece of three.
    for (const memberId of [member.id, null]) {
      const refused = { outcome: 'refused', reason: 'originalReturned' }
      expect(await s.send(memberId, back(-2))).toEqual(refused)
    }
    await send(null, back(-1))
  })

  test('is exported with its rows, and without their place', async () => {
    const member = await testMember(s)
    const input = receipt([['A', '10.00', 2]], { coupons })
    await send(member.id, input)
    await send(member.id, receipt([['A', '10.00', -1]], { original: nameOf(input) }))
    const options = ['--by', 'Ann Lee', '--reason', 'asked for it']
    const inShop = ['member', 'export', s.identifier, member.memberCode]
    const { stdout } = await tillside(...inShop, ...options)
    const Rows = z.optional(z.array(z.record(z.string(), z.unknown())))
    const exported = z.record(z.string(), z.unknown()).parse(JSON.parse(stdout))
    for (const [table, count] of [
      ['transaction', 2],
      ['transaction_item', 2],
      ['transaction_coupon', 1],
      ['transaction_return', 1],
    ] as const) {
      const rows = Rows.parse(exported[table]) ?? []
      expect([table, rows.length]).toEqual([table, count])
      expect(rows.flatMap((row) => Object.keys(row))).not.toContain('place')
    }
  })

  test('is recorded once, whichever members send it at the same time', async () => {
    const input = receipt([['A', '10.00', 1]])
    const members = await Promise.all([testMember(s), testMember(s), testMember(s)])
    const senders = Array.from({ length: 20 }, (_, n) => members[n % 4]?.id ?? null)
    const answers = await Promise.all(senders.map((memberId) => s.send(memberId, input)))
    expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
    expect(answers.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(19)
    const key = await s.database.reading(s.id, (tx) => findReceipt(tx, s.id, input))
    const first = senders[answers.findIndex(({ outcome }) => outcome === 'created')]
    expect(key?.place).toBe(first ?? key?.id)
  })

  offCluster(reasons.move)('with a row at another place is found by the doctor', async () => {
    const member = await testMember(s)
    const input = receipt([['A', '10.00', 2]], { coupons })
    const sale = await send(member.id, input)
    const back = await send(member.id, receipt([['A', '10.00', -1]], { original: nameOf(input) }))
    for (const [table, id] of [
      ['transaction_item', sale],
      ['transaction_coupon', sale],
      ['transaction_return', back],
      ['transaction', sale],
    ] as const) {
      const move = `update ${table} set place = $3 where company_id = $1 and transaction_id = $2`
      // Foreign keys could refuse it.
      await owner.query('set session_replication_role = replica')
      await owner.query(move, [s.id, id, s.id])
      const found = await s.violations()
      expect([table, found]).toEqual([
        table,
        expect.arrayContaining([expect.stringMatching(/^receiptPlaced: .* another place$/)]),
      ])
      await owner.query(move, [s.id, id, member.id])
      await owner.query('set session_replication_role = origin')
      expect(await s.violations()).toEqual([])
    }
  })
})
