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
