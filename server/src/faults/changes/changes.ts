import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { money, mug } from '../../testing/factories/spending.ts'
import type { Desk, Member } from './desk.ts'

// The changes that a clerk makes and that one round trip can answer.

/** A kind of change, and how to prepare its input for a member who has 5,000 points. */
export type Change = {
  name: string
  endpoint: Endpoint
  prepare: (desk: Desk, member: Member) => Promise<object>
}

export const changes = {
  redeem: {
    name: 'a redemption',
    endpoint: redeemCoupon,
    prepare: async ({ shop }, member) => ({ couponCode: await testCoupon(shop, member) }),
  },
  batch: {
    name: 'a redemption of several coupons',
    endpoint: batchRedeemCoupons,
    prepare: async ({ shop }, member) => ({
      couponCodes: [await testCoupon(shop, member), await testCoupon(shop, member)],
    }),
  },
  undo: {
    name: 'an undo',
    endpoint: cancelCouponRedeem,
    prepare: async (desk, member) => ({ couponCode: await desk.redeemed(member), reason: 'wrong' }),
  },
  issue: {
    name: 'an issue',
    endpoint: issueCoupon,
    prepare: async () => ({ couponId: 'TREAT', quantity: 1 }),
  },
  spend: {
    name: 'a spending',
    endpoint: redeemPoints,
    prepare: async (_, { memberCode }) => money(memberCode),
  },
  refund: {
    name: 'an undo of a spending',
    endpoint: cancelPoints,
    prepare: async (desk, member) => ({
      entryId: await desk.spent(money(member.memberCode)),
      reason: 'wrong',
    }),
  },
  gift: {
    name: 'a spending on gifts',
    endpoint: redeemPoints,
    prepare: async (_, { memberCode }) => mug(memberCode, { quantity: 2 }),
  },
  returnGift: {
    name: 'an undo of a spending on gifts',
    endpoint: cancelPoints,
    prepare: async (desk, { memberCode }) => {
      return { entryId: await desk.spent(mug(memberCode, { quantity: 2 })), reason: 'wrong' }
    },
  },
  returnPaid: {
    name: 'an undo of an issue for points',
    endpoint: cancelPoints,
    prepare: async (desk, member) => ({ entryId: await desk.paid(member), reason: 'wrong' }),
  },
  issuePaid: {
    name: 'an issue for points',
    endpoint: issueCouponByPoints,
    prepare: async () => ({ couponId: 'LATTE', quantity: 2 }),
  },
} satisfies Record<string, Change>

/** The input of a change for a member. */
export async function inputOf({ prepare }: Change, desk: Desk, member: Member): Promise<object> {
  return { ...(await prepare(desk, member)), memberCode: member.memberCode }
}
