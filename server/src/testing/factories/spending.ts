import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { permissions } from '@tillside/contract/wire/permissions'
import { testMember } from './member.ts'
import { givePoints } from './points.ts'
import { type Shop, testShop } from './shop.ts'

const texts = (en: string) => ({ 'en-US': en, 'zh-HK': `${en}（港）` })

export const pointRules = {
  perUnit: '1',
  expiry: { kind: 'none' },
  names: { singular: texts('point'), plural: texts('points') },
} as const

/**
 * Exchange of 200 to 5,000 points in steps of 100; a point is worth 0.01; up to half of the sale.
 */
const exchange = {
  minimum: 200,
  maximum: 5000,
  increment: 100,
  pointValue: '0.01',
  maxShare: 0.5,
} as const

type Rest<T extends unknown[]> = T extends [unknown?, ...infer R] ? R : never

/** A company with gifts and an exchange rule, and groups that may use only one of the two. */
export function testSpendingShop(
  changes: Parameters<typeof testShop>[0] = {},
  ...rest: Rest<Parameters<typeof testShop>>
): Promise<Shop> {
  const definition: Parameters<typeof testShop>[0] = {
    points: { ...pointRules, exchange },
    gifts: [
      { id: 'MUG', names: texts('Mug'), descriptions: texts('Holds coffee'), points: 50 },
      { id: 'PRESS', names: texts('Press'), points: 400, stock: 5, perMemberLimit: 2 },
      { id: 'GONE', names: texts('Gone'), points: 1, stock: 0, perMemberLimit: 1 },
    ],
    groups: [
      { code: 'full', permissions: [...permissions], menus: ['member'] },
      { code: 'viewer', permissions: ['homeMembertier'], menus: ['member'] },
      { code: 'empty', permissions: [], menus: [] },
      { code: 'gifts', permissions: ['pointRedeem'], menus: ['member'] },
      { code: 'money', permissions: ['pointExchange'], menus: ['member'] },
    ],
    ...changes,
  }
  return testShop(definition, ...rest)
}

/** Creates a member with this many points that never expire. */
export async function memberWith(shop: Shop, balance: number) {
  const member = await testMember(shop)
  if (balance > 0) await givePoints(shop, member, balance)
  return member
}

type Changes = Record<string, unknown>

/** The input to redeem 50 points for a mug. */
export const mug = (memberCode: string, changes: Changes = {}) => ({
  memberCode,
  kind: 'gift',
  giftId: 'MUG',
  quantity: 1,
  ...changes,
})

/** The input to exchange 300 points in a sale of 100.00. */
export const money = (memberCode: string, changes: Changes = {}) => ({
  memberCode,
  kind: 'transaction',
  points: 300,
  transactionAmount: '100.00',
  ...changes,
})

const readEffects = statement(
  `select jsonb_build_object(
     'account', (select to_jsonb(a) - 'member_id' from point_account a
       where company_id = $1 and member_id = $2),
     'entries', (select jsonb_agg(to_jsonb(e) - '{member_id,entry_id,reverses,created_at}'::text[]
       order by seq) from point_entry e where company_id = $1 and member_id = $2),
     'lots', (select jsonb_agg(jsonb_build_array(expires_on, points, remaining)
       order by expires_on, points) from point_lot where company_id = $1 and member_id = $2),
     'burns', (select jsonb_agg(points order by points) from point_burn
       where company_id = $1 and member_id = $2),
     'gifts', (select jsonb_agg(to_jsonb(r) - '{member_id,entry_id,redeemed_at}'::text[]
       order by e.seq) from gift_redemption r join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = r.entry_id
       where r.company_id = $1 and r.member_id = $2),
     'coupons', (select jsonb_agg(to_jsonb(c) - '{member_id,coupon_code,entry_id,issued_at}'::text[]
       order by e.seq) from coupon c join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = c.entry_id
       where c.company_id = $1 and c.member_id = $2),
     'sales', (select jsonb_agg(jsonb_build_array(e.seq, r.kind, r.points, s.payers = array[$2])
       order by e.seq, r.kind) from sale_redemption r join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = r.entry_id
       left join paid_sale s on s.company_id = $1 and s.kind = r.kind and s.reference = r.reference
       where r.company_id = $1 and r.member_id = $2),
     'audit', (select jsonb_agg(
         to_jsonb(a) - '{audit_id,id,at,place,member_id,request_id,details}'::text[]
           || (details - '{entryId,reverses}'::text[]) order by audit_id)
       from audit a where company_id = $1 and member_id = $2 and action like 'points.%'),
     'key', (select jsonb_agg(
         (to_jsonb(o) - '{key,body_hash,created_at,claimed_at}'::text[])
           #- '{answer,data,entry,id}' #- '{answer,data,entry,createDate}'
           #- '{answer,data,entries,0,id}' #- '{answer,data,entries,0,createDate}' order by e.seq)
       from operation o join point_entry e on e.entry_id::text
         = coalesce(o.answer #>> '{data,entry,id}', o.answer #>> '{data,entries,0,id}')
       where e.company_id = $1 and e.member_id = $2)
   ) as effects`,
  z.object({ effects: z.record(z.string(), z.unknown()) }),
)

/** All that spendings have left on a member, without ids and times that differ between two. */
export async function spendingEffects(
  { database, id }: Pick<Shop, 'database' | 'id'>,
  member: { id: string },
): Promise<Record<string, unknown>> {
  const row = await database.transaction(id, (tx) => tx.one(readEffects, [id, member.id]))
  return row.effects
}
