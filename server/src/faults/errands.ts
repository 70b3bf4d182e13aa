import { randomUUID } from 'node:crypto'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { integrationBase, type IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { postPoints } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { money, mug } from '../testing/factories/spending.ts'

// The requests of clerks and tills during a fault: everything that moves value.

/** The credentials of the clerks and tills, and the members they serve. */
export type Counter = {
  token: string
  key: string
  people: readonly Person[]
}
/**
 * A member, and what the answers have shown: coupons that are valid or redeemed, spendings that are
 * not undone, and sales without a return.
 */
export type Person = {
  id: string
  memberCode: string
  coupons: string[]
  used: string[]
  spent: Spent[]
  sold: Sold[]
  given: number
}
type Spent = { entryId: string; points: number }
/** A sale of one tea: a point for each whole unit of its price. */
type Sold = { invoiceNumber: string; points: number }

/** The effects of an acknowledged request, which the database must contain. */
export type Effects = {
  points: number
  entries: readonly string[]
  redeemed: readonly string[]
  undone: readonly string[]
  issued: readonly string[]
  receipts: readonly string[]
  movements: readonly string[]
  /** What a later errand may undo. */
  spent: readonly Spent[]
  sold: readonly Sold[]
}

/** One request, repeated without change until it is answered. */
export type Errand = {
  kind: string
  person: Person
  path: string
  headers: Record<string, string>
  body: unknown
  /** Codes of refusals that another clerk's request can cause. */
  refusals: readonly number[]
  /** Reads the data of a success. */
  effects(data: unknown): Effects
}

const none: Effects = {
  points: 0,
  entries: [],
  redeemed: [],
  undone: [],
  issued: [],
  receipts: [],
  movements: [],
  spent: [],
  sold: [],
}
type Draw = (counter: Counter, person: Person, random: () => number) => Errand | null

const below = (random: () => number, limit: number): number => Math.floor(random() * limit)

/** The next errand. The same random numbers give the same errand. */
export function drawErrand(counter: Counter, random: () => number): Errand {
  for (;;) {
    const person = counter.people[below(random, counter.people.length)]
    const draw = draws[below(random, draws.length)]
    const errand = person && draw?.(counter, person, random)
    if (draw && errand) return { ...errand, kind: draw.name }
  }
}

const draws: readonly Draw[] = [
  redeem,
  batch,
  undo,
  issue,
  sell,
  drawGift,
  exchange,
  refund,
  sales,
  goodsBack,
  movement,
]

/** The kinds of all errands. */
export const kinds: readonly string[] = draws.map(({ name }) => name)

function redeem(counter: Counter, person: Person, random: () => number): Errand | null {
  // Sometimes another clerk redeems the same coupon.
  const contested = random() < 0.2
  const couponCode = contested ? person.coupons[0] : person.coupons.shift()
  if (couponCode === undefined) return null
  const input = { couponCode, memberCode: person.memberCode }
  return byClerk(counter, person, redeemCoupon, input, {
    refusals: [failures.couponUsed.code],
    effects: () => ({ ...none, redeemed: [couponCode] }),
  })
}

function batch(counter: Counter, person: Person, random: () => number): Errand | null {
  const couponCodes = person.coupons.splice(0, 2 + below(random, 3))
  if (couponCodes.length === 0) return null
  const input = { couponCodes, memberCode: person.memberCode }
  return byClerk(counter, person, batchRedeemCoupons, input, {
    refusals: [failures.couponsRefused.code],
    effects: () => ({ ...none, redeemed: couponCodes }),
  })
}

function undo(counter: Counter, person: Person): Errand | null {
  // The last one: the store may undo a redemption for half an hour.
  const couponCode = person.used.pop()
  if (couponCode === undefined) return null
  const input = { couponCode, memberCode: person.memberCode, reason: 'a fault' }
  return byClerk(counter, person, cancelCouponRedeem, input, {
    effects: () => ({ ...none, undone: [couponCode] }),
  })
}

const Issued = z.object({ coupons: z.array(z.object({ code: z.string() })) })
const issuing = (points: number) => (data: unknown) => ({
  ...none,
  points,
  issued: Issued.parse(data).coupons.map(({ code }) => code),
})

function issue(counter: Counter, person: Person, random: () => number): Errand {
  const quantity = 1 + below(random, 3)
  const input = { memberCode: person.memberCode, couponId: 'TREAT', quantity }
  return byClerk(counter, person, issueCoupon, input, { effects: issuing(0) })
}

function sell(counter: Counter, person: Person, random: () => number): Errand {
  const quantity = 1 + below(random, 3)
  const input = { memberCode: person.memberCode, couponId: 'LATTE', quantity }
  return byClerk(counter, person, issueCouponByPoints, input, { effects: issuing(-100 * quantity) })
}

const Spending = z.object({ entry: z.object({ id: z.string() }) })
const spending = (points: number) => (data: unknown) => {
  const entryId = Spending.parse(data).entry.id
  return { ...none, points: -points, entries: [entryId], spent: [{ entryId, points }] }
}

/** One to three mugs for points. */
export function drawGift(
  counter: Counter,
  person: Person,
  random: () => number = Math.random,
): Errand {
  const quantity = 1 + below(random, 3)
  return byClerk(counter, person, redeemPoints, mug(person.memberCode, { quantity }), {
    effects: spending(50 * quantity),
  })
}

function exchange(counter: Counter, person: Person, random: () => number): Errand {
  const points = 200 + 100 * below(random, 4)
  return byClerk(counter, person, redeemPoints, money(person.memberCode, { points }), {
    effects: spending(points),
  })
}

const Refund = z.object({ entries: z.array(z.object({ id: z.string() })) })

function refund(counter: Counter, person: Person): Errand | null {
  // The last one: the store may undo a spending for half an hour.
  const spent = person.spent.pop()
  if (spent === undefined) return null
  const { entryId, points } = spent
  const input = { entryId, memberCode: person.memberCode, reason: 'a fault' }
  return byClerk(counter, person, cancelPoints, input, {
    effects: (data) => {
      const entries = Refund.parse(data).entries.map(({ id }) => id)
      return { ...none, points, entries }
    },
  })
}

function sales(counter: Counter, person: Person, random: () => number): Errand {
  const sold = Array.from({ length: 1 + below(random, 3) }, () => ({
    invoiceNumber: randomUUID(),
    points: 1 + below(random, 90),
  }))
  const items = sold.map((sale) => teas(person, sale))
  const receipts = sold.map(({ invoiceNumber }) => invoiceNumber)
  const points = sold.reduce((sum, sale) => sum + sale.points, 0)
  const effects = { ...none, points, receipts, sold }
  return byTill(counter, person, postTransactions, items, () => effects)
}

/** The return of a whole sale. */
function goodsBack(counter: Counter, person: Person): Errand | null {
  const sale = person.sold.shift()
  if (sale === undefined) return null
  const invoiceNumber = randomUUID()
  const original = nameOf(teas(person, sale))
  const item = { ...teas(person, { ...sale, invoiceNumber }, -1), original }
  const effects = { ...none, points: -sale.points, receipts: [invoiceNumber] }
  return byTill(counter, person, postTransactions, [item], () => effects)
}

function teas({ memberCode }: Person, { invoiceNumber, points }: Sold, quantity = 1) {
  return receipt([['TEA', `${points}.50`, quantity]], { invoiceNumber, memberCode })
}

function movement(counter: Counter, person: Person, random: () => number): Errand {
  const items = Array.from({ length: 1 + below(random, 2) }, () => ({
    operationId: randomUUID(),
    memberCode: person.memberCode,
    type: random() < 0.5 ? 'specialAdd' : 'specialDeduct',
    points: 1 + below(random, 50),
    reason: 'a fault',
  }))
  const points = items.reduce((sum, i) => sum + (i.type === 'specialAdd' ? 1 : -1) * i.points, 0)
  const movements = items.map(({ operationId }) => operationId)
  return byTill(counter, person, postPoints, items, (done) => {
    const entries = z.array(z.object({ entryId: z.string() })).parse(done)
    return { ...none, points, movements, entries: entries.map(({ entryId }) => entryId) }
  })
}

function byClerk(
  { token }: Counter,
  person: Person,
  { path }: Endpoint,
  body: unknown,
  rest: { refusals?: readonly number[]; effects: Errand['effects'] },
): Errand {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  return { kind: path, person, path: basePath + path, headers, body, refusals: [], ...rest }
}

const Items = z.object({
  items: z.array(z.looseObject({ outcome: z.enum(['created', 'unchanged']) })),
})

/** A till sends no key: its items have identifiers, and a repeated item is `unchanged`. */
function byTill(
  { key }: Counter,
  person: Person,
  { path }: IntegrationEndpoint,
  items: readonly unknown[],
  effects: (items: readonly unknown[]) => Effects,
): Errand {
  return {
    kind: path,
    person,
    path: integrationBase + path,
    headers: { authorization: `Bearer ${key}` },
    body: { items },
    refusals: [],
    effects: (data) => effects(Items.parse(data).items),
  }
}
