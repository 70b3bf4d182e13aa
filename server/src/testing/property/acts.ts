import { randomUUID } from 'node:crypto'
import { issueCouponByPoints, redeemCoupon } from '@tillside/contract/coupon'
import { postPoints } from '@tillside/contract/integration/points'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import pino from 'pino'
import { expect } from 'vitest'
import { expiryJob } from '../../jobs/expiry.ts'
import { runJob } from '../../jobs/job.ts'
import type { Back } from '../model/lots.ts'
import { money } from '../model/tier.ts'
import { tiersJob } from '../../jobs/tiers.ts'
import type { Act } from './steps.ts'
import {
  call,
  goodsReceipt,
  newestOf,
  outcomeOf,
  post,
  refusalOf,
  send,
  type Turn,
} from './requests.ts'
import { nameOf } from '../factories/receipt.ts'

const silent = pino({ level: 'silent' })

/** Does the same in the engine and in the model, and compares their refusals. */
export async function applyAct(turn: Turn, what: Act): Promise<void> {
  const { side, person, at, day } = turn
  const { model } = person
  switch (what.kind) {
    case 'sale': {
      const when = at - what.late * 86_400_000
      const occurredAt = new Date(when).toISOString()
      const input = goodsReceipt(turn, what.goods, [], { occurredAt, storeCode: what.store })
      expect(await send(turn, input)).toBe('created')
      person.sales.push({ input, goods: what.goods })
      return model.buy(what.goods, what.store, when)
    }
    case 'return':
    case 'swap':
      return returnGoods(turn, what)
    case 'loose': {
      const input = goodsReceipt(turn, [], [{ sku: 'A', cents: what.cents }], {})
      expect(await send(turn, input)).toBe('created')
      return model.returnWithoutSale(what.cents, at)
    }
    case 'kept': {
      const input = goodsReceipt(turn, what.goods, [], { status: what.status })
      expect(await send(turn, input)).toBe('created')
      return
    }
    case 'gift': {
      const { id: giftId, quantity } = what
      const refusal = model.takeGift(giftId, quantity, day)
      return redeem(turn, { kind: 'gift', giftId, quantity }, refusal)
    }
    case 'pay': {
      const { points: asked, sale } = what
      const { increment } = side.rules.exchange
      const part = Math.ceil((Math.max(0, model.valid(day)) * Number(asked)) / 100)
      const points = typeof asked === 'string' ? Number(asked) : part - (part % increment)
      const refusal = model.payFor(sale, points, day)
      const transactionAmount = money(sale)
      return redeem(turn, { kind: 'transaction', points, transactionAmount }, refusal)
    }
    case 'coupons':
    case 'use':
    case 'cancel':
      return withSpendings(turn, what)
    case 'adjust':
      return adjust(turn, what)
    case 'expire':
    case 'review': {
      const job = what.kind === 'expire' ? expiryJob : tiersJob
      const { outcome } = await runJob(side.stage.database, side.id, job, silent, { now: true })
      expect(outcome).toBe('finished')
      for (const one of side.people) {
        if (what.kind === 'expire') one.model.expire(day)
        else one.model.tier.review(day)
      }
    }
  }
}

/** @param refusal the expected refusal, from the model; null if the call must succeed */
async function redeem(turn: Turn, what: object, refusal: string | null): Promise<void> {
  const { person } = turn
  const answer = await call(turn, redeemPoints, { memberCode: person.code, ...what })
  expect(refusalOf(answer)).toBe(refusal)
  if (refusal !== null) return
  const { entry } = redeemPoints.data.parse(answer.data)
  person.spendings.push({ entryId: entry.id, coupons: [] })
}

async function returnGoods(
  turn: Turn,
  what: Extract<Act, { kind: 'return' | 'swap' }>,
): Promise<void> {
  const { person, at } = turn
  const { model } = person
  const index = what.of % Math.max(1, person.sales.length)
  const sale = person.sales[index]
  if (sale === undefined) return
  const part = (cents: number) => Math.max(1, Math.floor((cents * what.share) / 100))
  const original = nameOf(sale.input)
  const lines = sale.goods.map(({ sku, cents }) => ({ sku, cents: part(cents) }))
  const one = lines.slice(0, 1)
  if (what.kind === 'swap') {
    const given = { original, invoiceType: 'exchange' as const, storeCode: what.store }
    const input = goodsReceipt(turn, [what.line], one, given)
    const fits = model.swap(index, one, what.line, what.store, at)
    expect(await send(turn, input)).toBe(fits ? 'created' : 'originalReturned')
    if (fits) person.sales.push({ input, goods: [what.line] })
    return
  }
  const whole = lines.reduce((sum, { cents }) => sum + cents, 0)
  const chosen = lines.slice(what.line % lines.length).slice(0, 1)
  const back: Back = what.how === 'whole' ? whole : what.how === 'line' ? chosen : lines
  const input =
    typeof back === 'number'
      ? goodsReceipt(turn, [], [], {
          original,
          invoiceType: 'return',
          netSpend: money(-whole),
          totalAmount: money(-whole),
        })
      : goodsReceipt(turn, [], back, { original })
  expect(await send(turn, input)).toBe(
    model.returnGoods(index, back, at) ? 'created' : 'originalReturned',
  )
}

/** Buys a coupon with points, uses one, or cancels any spending. */
async function withSpendings(
  turn: Turn,
  what: Extract<Act, { kind: 'coupons' | 'use' | 'cancel' }>,
): Promise<void> {
  const { side, person, day } = turn
  const { code: memberCode, model, spendings } = person
  if (what.kind === 'coupons') {
    const { id: couponId, quantity } = what
    const answer = await call(turn, issueCouponByPoints, { memberCode, couponId, quantity })
    expect(refusalOf(answer)).toBe(model.buyCoupons(couponId, quantity, day))
    if (answer.code !== 0) return
    const { coupons } = issueCouponByPoints.data.parse(answer.data)
    const codes = coupons.map((coupon) => coupon.code)
    spendings.push({ entryId: await newestOf(side, memberCode), coupons: codes })
    return
  }
  const useful = spendings.filter((one) => what.kind === 'cancel' || one.coupons.length > 0)
  const spending = useful[what.of % Math.max(1, useful.length)]
  if (spending === undefined) return
  const index = spendings.indexOf(spending)
  if (what.kind === 'cancel') {
    const input = { memberCode, entryId: spending.entryId, reason: 'a step' }
    expect(refusalOf(await call(turn, cancelPoints, input))).toBe(model.cancel(index, day))
    return
  }
  const coupon = what.coupon % spending.coupons.length
  const used = await call(turn, redeemCoupon, { memberCode, couponCode: spending.coupons[coupon] })
  expect(refusalOf(used)).toBe(model.useCoupon(index, coupon, day))
}

async function adjust(
  turn: Turn,
  { type, points }: Extract<Act, { kind: 'adjust' }>,
): Promise<void> {
  const { side, person, at, day } = turn
  const { code: memberCode, model } = person
  const item = { operationId: randomUUID(), memberCode, type, points, reason: 'a step' }
  const [result] = (await post(side, postPoints, [item])).items
  if (turn.twice && result?.outcome === 'created') {
    expect((await post(side, postPoints, [item])).unchanged).toBe(1)
  }
  const add = (code: number) => (model.add(code, points, at), null)
  const refused = {
    adjustmentUp: () => add(2),
    adjustmentDown: () => model.deduct(3, points, day, true),
    specialAdd: () => add(6),
    specialDeduct: () => model.deduct(7, points, day, true),
    transferIn: () => add(13),
    transferOut: () => model.deduct(14, points, day, false),
  }[type]()
  expect(outcomeOf(result)).toBe(refused ?? 'created')
}
