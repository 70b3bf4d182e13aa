import { pointRules, testSpendingShop } from './factories/spending.ts'
import { redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from './command.ts'
import { logIn, ok } from './factories/company.ts'
import { testCoupon, todayOf } from './factories/coupon.ts'
import { testMember } from './factories/member.ts'
import { givePoints } from './factories/points.ts'
import { nameOf, receipt } from './factories/receipt.ts'

export type Known = Awaited<ReturnType<typeof testMember>>

/** The options of every merge. */
export const author = ['--by', 'Ann Lee', '--reason', 'one person, letter 17']

/** The time of a receipt of today. */
export const now = () => ({ occurredAt: new Date().toISOString() })

const exchange = { minimum: 1, maximum: 5000, increment: 1, pointValue: '0.01', maxShare: null }
const readTables = statement(
  `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and exists (
     select from pg_attribute a where a.attrelid = c.oid and a.attname = 'member_id')
   order by 1`,
  z.object({ name: z.string() }),
)
/** They record what was done, also a merge. */
const records = new Set(['audit', 'delivery', 'event', 'outbox', 'outbox_member'])

/** A company whose members can be merged, with a clerk. */
export async function testMergeShop() {
  const shop = await testSpendingShop({
    points: { ...pointRules, exchange, refundPolicy: 'debt' },
    profileFields: { shown: [], editable: ['email'] },
  })
  const token = await logIn(shop)
  const inShop = ['member', 'merge', shop.identifier]

  const spend = async ({ memberCode }: Known, points: number) => {
    const input = { memberCode, kind: 'transaction', points }
    const { entry } = await ok(shop, redeemPoints, input, { token })
    return entry.id
  }
  const tables = async () =>
    (await shop.database.transaction(shop.id, (tx) => tx.all(readTables, []))).map((t) => t.name)
  return {
    shop,
    token,
    spend,
    /** The names of all tables with a member. */
    tables,
    merge: (survivor: Known, merged: Known, ...options: string[]) => {
      const codes = [survivor.memberCode, merged.memberCode]
      const asked = options.length === 0 ? ['--confirm'] : options
      return tillside(...inShop, ...codes, ...author, ...asked)
    },
    unmerge: (merged: Known) =>
      tillside('member', 'unmerge', shop.identifier, merged.memberCode, ...author),
    balanceOf: async ({ id }: Known) => (await shop.totals(id, await todayOf(shop))).balance,
    /** Two members without a history. */
    async two(
      first: Parameters<typeof testMember>[1] = {},
      second: Parameters<typeof testMember>[1] = {},
    ): Promise<[Known, Known]> {
      return [await testMember(shop, first), await testMember(shop, second)]
    },
    /** A member with receipts, a return, lots that end on different days, a spending, coupons. */
    async busy() {
      const member = await testMember(shop)
      const sale = receipt([['A', '300.00', 2]], { occurredAt: '2026-10-01T04:00:00Z' })
      await shop.send(member.id, sale)
      await givePoints(shop, member, 70, '2031-05-05')
      await givePoints(shop, member, 30)
      await spend(member, 40)
      const original = nameOf(sale)
      const at = { occurredAt: '2026-10-02T04:00:00Z' }
      await shop.send(member.id, receipt([['A', '300.00', -1]], { original, ...at }))
      const coupon = await testCoupon(shop, member)
      await testCoupon(shop, member)
      return { ...member, sale, coupon }
    },
    /** All rows of these members, in every table that is no record of acts. */
    async rowsOf(...members: readonly Known[]): Promise<Record<string, unknown[]>> {
      const names = (await tables()).filter((name) => !records.has(name))
      const found: Record<string, unknown[]> = {}
      await shop.database.transaction(shop.id, async (tx) => {
        for (const name of names) {
          const rows = statement(
            `select to_jsonb(t) as row from "${name}" t
             where company_id = $1 and member_id = any ($2::uuid[]) order by to_jsonb(t)::text`,
            z.object({ row: z.unknown() }),
          )
          const all = await tx.all(rows, [shop.id, members.map(({ id }) => id)])
          found[name] = all.map(({ row }) => row)
        }
      })
      return found
    },
  }
}
