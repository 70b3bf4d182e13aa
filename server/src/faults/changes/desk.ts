import { randomUUID } from 'node:crypto'
import { issueCouponByPoints, redeemCoupon } from '@tillside/contract/coupon'
import { webhookEvents } from '@tillside/contract/integration/events'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { redeemPoints } from '@tillside/contract/points'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { type Database, statement } from '../../database/database.ts'
import { logIn } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { noAllowances } from '../../testing/factories/definition.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { testSpendingShop } from '../../testing/factories/spending.ts'
import { effectsOn, givenToday } from './effects.ts'

// A place from which clerks and a till change value, and the state that they leave.

const readNewest = statement(
  `select entry_id from point_entry where company_id = $1 and member_id = $2
   order by seq desc limit 1`,
  z.object({ entry_id: z.string() }),
)

const subscribe = statement(
  `insert into webhook (company_id, webhook_id, url, secret_variable, events)
   values ($1, 'crm', 'https://example.com/', 'SECRET', $2)`,
  z.unknown(),
)

export type Member = { id: string; memberCode: string }

export type Answer = { body: string; statusCode: number }

/** The place of a clerk and a till, in a shop whose limits are counted, but never reached. */
export class Desk {
  readonly shop: Shop
  readonly token: string
  /** Of the till. */
  readonly key: string
  readonly keyId: string
  /** Of each change, whether one round trip has answered it. */
  readonly counted: boolean[]

  /** @param hasWebhook whether a webhook of the company gets all events */
  static async of(database: Database, hasWebhook: boolean): Promise<Desk> {
    const counted: boolean[] = []
    const many = { warn: 900_000, refuse: 950_000 }
    const given = { couponsRedeemed: many, couponsIssued: many, pointRedemptions: many }
    const allowances = { ...noAllowances, ...given, pointsSpent: many, undone: many }
    const shop = await testSpendingShop({ allowances }, database, (_, isAnswered) =>
      counted.push(isAnswered),
    )
    if (hasWebhook) await listen(shop)
    return new Desk(shop, await logIn(shop), await testKey(shop), counted)
  }

  private constructor(
    shop: Shop,
    token: string,
    { key, keyId }: { key: string; keyId: string },
    counted: boolean[],
  ) {
    this.shop = shop
    this.token = token
    this.key = key
    this.keyId = keyId
    this.counted = counted
  }

  /** Sends a change, to another process where one is given. */
  async send(
    { path }: Endpoint,
    key: string,
    payload: object,
    { app }: Pick<Shop, 'app'> = this.shop,
  ): Promise<Answer> {
    const { body, statusCode } = await app.inject({
      method: 'POST',
      url: basePath + path,
      headers: { authorization: `Bearer ${this.token}`, 'idempotency-key': key },
      payload,
    })
    return { body, statusCode }
  }

  /** Sends a receipt of the till. */
  async record(input: object, at: Pick<Shop, 'app'> = this.shop): Promise<Answer> {
    const items = [input]
    const { text, status } = await callWithKey(at, postTransactions, { items }, this.key)
    return { body: text, statusCode: status }
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

/** Lets a webhook of the shop get all events. */
export async function listen({ database, id }: Pick<Shop, 'database' | 'id'>): Promise<void> {
  await database.transaction(id, (tx) => tx.run(subscribe, [id, webhookEvents]))
}

export type State = { rows: Record<string, string[]>; given: Record<string, number> }

/** The difference that a change has made, to compare it with that of the same change elsewhere. */
export function changeOf(before: State, { rows, given }: State) {
  const counts = Object.entries(given).map(([kind, n]) => [kind, n - (before.given[kind] ?? 0)])
  return { before: before.rows, rows, given: Object.fromEntries(counts) }
}
