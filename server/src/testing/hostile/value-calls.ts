import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import {
  buyCoupons,
  issueCoupons,
  redeemCoupons,
  redeemOneCoupon,
  undoRedemption,
} from '@tillside/contract/integration/coupons'
import type { IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { cancelSpending, spendPoints } from '@tillside/contract/integration/points'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import type { Data, Endpoint } from '@tillside/contract/wire/endpoint'
import type { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { testCoupon } from '../factories/coupon.ts'
import type { Shop } from '../factories/shop.ts'
import { money, mug } from '../factories/spending.ts'

type Member = { id: string; memberCode: string }
/** A shop, and how another clerk of the same store makes a call there. */
type At = { shop: Shop; ask: <E extends Endpoint>(endpoint: E, input: object) => Promise<Data<E>> }

export type ValueCall = {
  name: string
  endpoint: Endpoint
  permission: Permission
  /** The same call for a key. */
  ofKey: IntegrationEndpoint
  /** Without the member's code. */
  input: (at: At, member: Member) => Promise<object>
}

const readPayer = statement(
  'select entry_id as payer from coupon where company_id = $1 and coupon_code = $2',
  z.object({ payer: z.string() }),
)

const redeemable = async ({ shop }: At, member: Member) => ({
  couponCode: await testCoupon(shop, member),
})

/** The calls of a clerk or a key that a function can answer, with valid inputs. */
export const valueCalls: ValueCall[] = [
  {
    name: 'a redemption',
    endpoint: redeemCoupon,
    permission: 'couponRedeem',
    ofKey: redeemOneCoupon,
    input: redeemable,
  },
  {
    name: 'a batch',
    endpoint: batchRedeemCoupons,
    permission: 'couponRedeem',
    ofKey: redeemCoupons,
    input: async ({ shop }, member) => ({
      couponCodes: [await testCoupon(shop, member), await testCoupon(shop, member)],
    }),
  },
  {
    name: 'an undo',
    endpoint: cancelCouponRedeem,
    permission: 'couponRedeem',
    ofKey: undoRedemption,
    async input(at, member) {
      const used = await redeemable(at, member)
      await at.ask(redeemCoupon, { ...used, memberCode: member.memberCode })
      return { ...used, reason: 'revoked' }
    },
  },
  {
    name: 'an issue',
    endpoint: issueCoupon,
    permission: 'homeIssuecoupon',
    ofKey: issueCoupons,
    input: async () => ({ couponId: 'TREAT', quantity: 2 }),
  },
  {
    name: 'an issue by points',
    endpoint: issueCouponByPoints,
    permission: 'pointExchange',
    ofKey: buyCoupons,
    input: async () => ({ couponId: 'LATTE', quantity: 1 }),
  },
  {
    name: 'a spending',
    endpoint: redeemPoints,
    permission: 'pointExchange',
    ofKey: spendPoints,
    input: async (_, { memberCode }) => money(memberCode),
  },
  {
    name: 'the undo of a spending',
    endpoint: cancelPoints,
    permission: 'pointExchange',
    ofKey: cancelSpending,
    async input({ ask }, { memberCode }) {
      const { entry } = await ask(redeemPoints, money(memberCode))
      return { entryId: entry.id, reason: 'revoked' }
    },
  },
  {
    name: 'a spending on gifts',
    endpoint: redeemPoints,
    permission: 'pointRedeem',
    ofKey: spendPoints,
    input: async (_, { memberCode }) => mug(memberCode),
  },
  {
    name: 'the undo of a spending on gifts',
    endpoint: cancelPoints,
    permission: 'pointRedeem',
    ofKey: cancelSpending,
    async input({ ask }, { memberCode }) {
      const { entry } = await ask(redeemPoints, mug(memberCode))
      return { entryId: entry.id, reason: 'revoked' }
    },
  },
  {
    name: 'the undo of an issue by points',
    endpoint: cancelPoints,
    permission: 'pointExchange',
    ofKey: cancelSpending,
    async input({ shop: { database, id }, ask }, { memberCode }) {
      const order = { memberCode, couponId: 'LATTE', quantity: 1 }
      const { coupons } = await ask(issueCouponByPoints, order)
      const { payer } = await database.reading(id, (tx) =>
        tx.one(readPayer, [id, coupons[0]?.code]),
      )
      return { entryId: payer, reason: 'revoked' }
    },
  },
]
