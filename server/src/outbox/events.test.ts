import { cancelCouponRedeem, issueCoupon, redeemCoupon } from '@tillside/contract/coupon'
import { redeemOneCoupon } from '@tillside/contract/integration/coupons'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { createCustomer, resignTnc, updateCustomer } from '@tillside/contract/member'
import { eventData, type WebhookEvent, webhookEvents } from '@tillside/contract/integration/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { callWithKey, sendItems, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { newForm } from '../testing/factories/registration.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { type Received, type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'
import { deliverOutbox } from './webhooks.ts'

// Each change that another system mirrors, made as in production, and the event that follows.

const environment = { WEBHOOK_SECRET_TEST: 'a secret of the test, long enough' }
let receiver: Receiver
let shop: Shop
let token: string
beforeEach(async () => {
  receiver = await startReceiver()
  const secretVariable = 'WEBHOOK_SECRET_TEST'
  const webhook = { id: 'crm', url: receiver.url, secretVariable, events: [...webhookEvents] }
  shop = await testShop({ webhooks: [webhook] })
  token = await logIn(shop)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await receiver.close()
  await shop.close()
})

/** The events since the last call. Each has the data that the contract names, and no more. */
async function events(): Promise<Received[]> {
  const before = receiver.taken.length
  await deliverOutbox(shop.database, shop.id, { environment, now: true })
  const taken = receiver.taken.slice(before)
  for (const { event, data } of taken) {
    const schema = eventData[z.parse(z.enum(webhookEvents), event)]
    const { memberCode: _, ...rest } = data
    const parsed = schema.safeParse(event === 'member.erased' ? data : rest)
    expect([event, parsed.error?.issues]).toEqual([event, undefined])
  }
  return taken
}
const namesOf = (taken: readonly Received[]) => taken.map(({ event }) => event)
const byAmy = { store: 'S1', actor: { type: 'staff', account: 'amy' } }
const byCommand = { store: null, actor: null }
const command = (...words: string[]) =>
  tillside(...words, '--by', 'Ann Lee', '--reason', 'a test of events')
const one = async (event: WebhookEvent) => {
  const taken = await events()
  expect(namesOf(taken)).toEqual([event])
  return taken[0]
}

test('a clerk’s changes of a member name the clerk and the store', async () => {
  const created = await ok(shop, createCustomer, newForm({}), { token })
  const { memberCode } = created
  expect(await one('member.created')).toMatchObject({ ...byAmy, data: { memberCode } })
  const changes = { firstName: 'Joan' }
  const input = { memberCode, version: created.version, changes }
  await ok(shop, updateCustomer, input, { token })
  const data = { memberCode, fields: ['firstName'] }
  expect(await one('member.changed')).toMatchObject({ ...byAmy, data })
  const answers = { memberCode, tncVersion: '2', marketingOptIn: false }
  await ok(shop, resignTnc, answers, { token })
  const agreed = { memberCode, tncVersion: '2', marketingOptIn: false, language: 'en-US' }
  expect(await one('consent.changed')).toMatchObject({ ...byAmy, data: agreed })
})

test('a coupon is issued, redeemed, undone and voided, each with its definition', async () => {
  const { memberCode } = await testMember(shop)
  await events()
  const order = { memberCode, couponId: 'TREAT', quantity: 3 }
  const { coupons } = await ok(shop, issueCoupon, order, { token })
  const issued = await events()
  expect(namesOf(issued)).toEqual(['coupon.issued', 'coupon.issued', 'coupon.issued'])
  expect(issued.map(({ sequence }) => sequence)).toEqual([2, 3, 4])
  const codes = coupons.map(({ code }) => code)
  expect(new Set(issued.map(({ data }) => data['couponCode']))).toEqual(new Set(codes))

  const [couponCode = ''] = codes
  const about = { memberCode, couponCode, couponId: 'TREAT', unionCode: null }
  await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
  expect(await one('coupon.redeemed')).toMatchObject({ ...byAmy, data: about })
  await ok(shop, cancelCouponRedeem, { couponCode, memberCode, reason: 'wrong' }, { token })
  const undone = { ...about, cause: 'undo' }
  expect(await one('coupon.undone')).toMatchObject({ ...byAmy, data: undone })
  expect(await command('coupon', 'void', shop.identifier, couponCode)).toMatchObject({ code: 0 })
  const voided = { ...about, cause: 'command' }
  expect(await one('coupon.voided')).toMatchObject({ ...byCommand, data: voided })
})

test('a till’s receipt names the key and the store, in each of its events', async () => {
  const { memberCode } = await testMember(shop)
  await events()
  const { key, keyId } = await testKey(shop, { scopes: ['transactions:write'] })
  const item = {
    invoiceNumber: 'E-1',
    source: 100000028,
    memberCode,
    storeCode: 'S2',
    status: 'completed',
    invoiceType: 'sale',
    occurredAt: new Date().toISOString(),
    totalAmount: '1200.00',
    netSpend: '1200.00',
  }
  await sendItems(
    shop,
    postTransactions,
    [item, { ...item, invoiceNumber: 'E-2', memberCode: null }],
    key,
  )
  const taken = await events()
  expect(new Set(namesOf(taken))).toEqual(
    new Set(['points.changed', 'tier.changed', 'transaction.recorded']),
  )
  for (const { store, actor } of taken) {
    expect({ store, actor }).toEqual({ store: 'S2', actor: { type: 'key', keyId } })
  }
  const recorded = taken.find(({ event }) => event === 'transaction.recorded')
  expect(recorded?.data).toMatchObject({ memberCode, invoiceNumber: 'E-1', points: 1200 })
})

test('a till’s redemption names the key and the store of the call', async () => {
  const member = await testMember(shop)
  const couponCode = await testCoupon(shop, member)
  await events()
  const { key, keyId } = await testKey(shop, { scopes: ['coupons:redeem'] })
  const { memberCode } = member
  const headers = { 'tillside-store': 'S2', 'idempotency-key': 'redeem-1' }
  const input = { couponCode, memberCode }
  const { status } = await callWithKey(shop, redeemOneCoupon, input, key, headers)
  expect(status).toBe(200)
  const by = { store: 'S2', actor: { type: 'key', keyId } }
  expect(await one('coupon.redeemed')).toMatchObject({ ...by, data: { couponCode } })
})

test('members are merged, parted and erased', async () => {
  const [survivor, merged] = [await testMember(shop), await testMember(shop)]
  await givePoints(shop, merged, 10)
  await events()
  const codes = [survivor.memberCode, merged.memberCode]
  const data = { memberCode: survivor.memberCode, mergedMemberCode: merged.memberCode }
  await command('member', 'merge', shop.identifier, ...codes, '--confirm')
  expect(await one('member.merged')).toMatchObject({ ...byCommand, data })
  await command('member', 'unmerge', shop.identifier, merged.memberCode)
  expect(await one('member.unmerged')).toMatchObject({ ...byCommand, data })
  // Its other events are deleted, delivered or not; the receiver needs the code for its own copy.
  await givePoints(shop, survivor, 10)
  await command('member', 'erase', shop.identifier, survivor.memberCode, '--yes')
  const { memberCode } = survivor
  expect(await one('member.erased')).toMatchObject({ ...byCommand, data: { memberCode } })
})

test('a coupon expires once, whenever the job runs', async () => {
  const member = await testMember(shop)
  const expiry = () => command('jobs', 'run', 'expiry', '--now', '--company', shop.identifier)
  // Before the first walk, as on the day of an upgrade.
  await testCoupon(shop, member, 30)
  await expiry()
  await events()
  const [used, unused, valid] = [
    await testCoupon(shop, member, 29),
    await testCoupon(shop, member, 29),
    await testCoupon(shop, member, 28),
  ]
  const { memberCode } = member
  await ok(shop, redeemCoupon, { couponCode: used, memberCode }, { token })
  await expiry()
  expect(namesOf(await events())).not.toContain('coupon.expired')
  // As if a day had passed: the walk and the coupons are a day older.
  const dayLater = [
    'update coupon set start_date = start_date - 1, expiry_date = expiry_date - 1',
    'update coupon_expiry_walk set expiry_date = expiry_date - 1',
  ]
  await shop.database.transaction(shop.id, async (tx) => {
    for (const text of dayLater) {
      await tx.run(statement(`${text} where company_id = $1`, z.unknown()), [shop.id])
    }
  })
  await expiry()
  const expired = await one('coupon.expired')
  expect(expired).toMatchObject({ ...byCommand, data: { couponCode: unused, memberCode } })
  expect(expired?.data['couponCode']).not.toBe(valid)
  await expiry()
  expect(await events()).toEqual([])
})
