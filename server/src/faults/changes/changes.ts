import { randomUUID } from 'node:crypto'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { type Database, statement } from '../../database/database.ts'
import { logIn } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { noAllowances } from '../../testing/factories/definition.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { money, mug, testSpendingShop } from '../../testing/factories/spending.ts'
import { effectsOn, givenToday } from './effects.ts'

// The changes that a clerk makes and that one round trip can answer.

const readNewest = statement(
  `select entry_id from point_entry where company_id = $1 and member_id = $2
   order by seq desc limit 1`,
  z.object({ entry_id: z.string() }),
)

type Member = { id: string; memberCode: string }

/** A clerk's place in a shop whose limits are counted, but never reached. */
export class Desk {
  readonly shop: Shop
  readonly token: string
  /** Of each change, whether one round trip has answered it. */
  readonly counted: boolean[]

  static async of(database: Database): Promise<Desk> {
    const counted: boolean[] = []
    const many = { warn: 900_000, refuse: 950_000 }
    const given = { couponsRedeemed: many, couponsIssued: many, pointRedemptions: many }
    const allowances = { ...noAllowances, ...given, pointsSpent: many, undone: many }
    const shop = await testSpendingShop({ allowances }, database, (_, isAnswered) =>
      counted.push(isAnswered),
    )
    return new Desk(shop, await logIn(shop), counted)
  }

  private constructor(shop: Shop, token: string, counted: boolean[]) {
    this.shop = shop
    this.token = token
    this.counted = counted
  }

  /** Sends a change, with another token where one is given. */
  async send(
    { path }: Endpoint,
    key: string,
    payload: object,
    token = this.token,
  ): Promise<{ body: string; statusCode: number }> {
    const { body, statusCode } = await this.shop.app.inject({
      method: 'POST',
      url: basePath + path,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      payload,
    })
    return { body, statusCode }
  }

  /** The rows of a member and a key, and the counts of the day. */
  async stateOf(member: Member, key: string): Promise<State> {
    const [rows, given] = [await effectsOn(this.shop, member, [key]), await givenToday(this.shop)]
    return { rows, given }
  }

  /** A redeemed coupon of a member. */
  async redeemed(member: Member): Promise<string> {
    const couponCode = await testCoupon(this.shop, member)
    await this.send(redeemCoupon, randomUUID(), { couponCode, memberCode: member.memberCode })
    return couponCode
  }

  /** A spending of a member. @returns its entry's id */
  async spent(input: object): Promise<string> {
    const { body } = await this.send(redeemPoints, randomUUID(), input)
    const { data } = z.object({ data: z.unknown() }).parse(JSON.parse(body))
    return redeemPoints.data.parse(data).entry.id
  }

  /** Issues coupons for a member's points. @returns the id of the entry that paid */
  async paid({ memberCode, id }: Member): Promise<string> {
    const input = { memberCode, couponId: 'LATTE', quantity: 2 }
    await this.send(issueCouponByPoints, randomUUID(), input)
    const { database, id: companyId } = this.shop
    const { entry_id: entry } = await database.transaction(companyId, (tx) =>
      tx.one(readNewest, [companyId, id]),
    )
    return entry
  }
}

export type State = { rows: Record<string, string[]>; given: Record<string, number> }

/** The difference that a change has made, to compare it with that of the same change elsewhere. */
export function changeOf(before: State, { rows, given }: State) {
  const counts = Object.entries(given).map(([kind, n]) => [kind, n - (before.given[kind] ?? 0)])
  return { before: before.rows, rows, given: Object.fromEntries(counts) }
}

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
