import { randomUUID } from 'node:crypto'
import {
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { findMember } from '@tillside/contract/integration/members'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money } from '../testing/factories/spending.ts'
import { type Door, send, sendAsTill } from './doors.ts'

// Requests that race at two server processes, for members of a shop where points can be spent.

type Doors = readonly [Door, Door]

/** The calls that race, each of which one round trip can answer. */
export const raced = [
  redeemCoupon,
  cancelCouponRedeem,
  issueCoupon,
  redeemPoints,
  cancelPoints,
  issueCouponByPoints,
  postTransactions,
] as const

/** The deviations of a race: a repeat with other bytes, or not exactly one success. */
export type Deviation = { path: string; answers: string[] }
type Raced = { own: string; deviations: Deviation[] }

const codeOf = (text: string): number => Envelope.parse(JSON.parse(text)).code

/**
 * Sends one request twice with the same key, to two doors, and once with a key of its own to each.
 * Then repeats the first request at both, in another language.
 * @param loser the refusal of the requests that come too late; null: each key succeeds
 */
async function race(
  [one, other]: Doors,
  endpoint: Endpoint,
  input: object,
  loser: number | null,
): Promise<Raced> {
  const key = randomUUID()
  const first = { door: one, endpoint, key, input }
  const answers = await Promise.all([
    send(first),
    send({ ...first, door: other }),
    send({ ...first, key: randomUUID() }),
    send({ ...first, door: other, key: randomUUID() }),
  ])
  const later = await Promise.all(
    [one, other].map((door) => send({ ...first, door, language: 'zh-HK' })),
  )
  const [own, ...others] = answers
  const codes = [own, ...others.slice(1)].map(codeOf).toSorted((a, b) => a - b)
  const wanted = loser === null ? [0, 0, 0] : [0, loser, loser]
  const isSame = [others[0], ...later].every((text) => text === own)
  const isRight = isSame && JSON.stringify(codes) === JSON.stringify(wanted)
  const deviation = { path: endpoint.path, answers: [...answers, ...later] }
  return { own, deviations: isRight ? [] : [deviation] }
}

/** Sends one receipt twice to each of two doors, and repeats it at both. */
async function raceSale([one, other]: Doors, memberCode: string): Promise<Deviation[]> {
  const items = [receipt([['TEA', '12.50', 2]], { memberCode })]
  const sendTo = (door: Door) => sendAsTill(door, postTransactions, { items })
  const answers = await Promise.all([one, other, one, other].map(sendTo))
  const later = await Promise.all([one, other].map(sendTo))
  const unchanged = [...answers.filter((text) => !text.includes('"created":1')), ...later]
  const isRight =
    unchanged.length === 5 &&
    new Set(unchanged).size === 1 &&
    unchanged[0]?.includes('"unchanged":1') === true
  return isRight ? [] : [{ path: postTransactions.path, answers: [...answers, ...later] }]
}

/** Lets all kinds of requests race at two doors for one new member. */
async function raceOne(doors: Doors, shop: Shop): Promise<Deviation[]> {
  const { id, memberCode } = await memberWith(shop, given)
  // Both processes know the member, as after a look-up at the counter. Otherwise the first race is
  // lost by a release that finds an unknown member in another round trip.
  await Promise.all(doors.map((door) => sendAsTill(door, findMember, { memberCode })))
  const redemption = { couponCode: await testCoupon(shop, { id }), memberCode }
  const order = { couponId: 'TREAT', quantity: 2, memberCode }
  const undo = { ...redemption, reason: 'race' }
  const { couponUsed, notCancellable } = failures
  const redeemed = await race(doors, redeemCoupon, redemption, couponUsed.code)
  const undone = await race(doors, cancelCouponRedeem, undo, notCancellable.code)
  const issued = await race(doors, issueCoupon, order, null)
  const spent = await race(doors, redeemPoints, money(memberCode), null)
  const paid = { couponId: 'LATTE', quantity: 1, memberCode }
  const [bought, sold] = await Promise.all([
    race(doors, issueCouponByPoints, paid, null),
    raceSale(doors, memberCode),
  ])
  const refunded = await raceRefund(doors, memberCode, spent.own)
  const all = [redeemed, undone, issued, spent, bought, refunded]
  return [...all.flatMap(({ deviations }) => deviations), ...sold]
}

function raceRefund(doors: Doors, memberCode: string, spent: string): Promise<Raced> {
  const { data } = z.object({ data: z.unknown() }).parse(JSON.parse(spent))
  const entryId = redeemPoints.data.parse(data).entry.id
  const input = { memberCode, entryId, reason: 'race' }
  return race(doors, cancelPoints, input, failures.notCancellable.code)
}

/**
 * Lets requests race at two doors, of a new member each time and of a few members at once.
 * @returns the deviations
 */
export async function raceAt([a, b]: Doors, shop: Shop, rounds: number): Promise<Deviation[]> {
  const deviations: Deviation[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let n = next++; n < rounds; n = next++) {
      deviations.push(...(await raceOne(n % 2 === 0 ? [a, b] : [b, a], shop)))
    }
  }
  await Promise.all(Array.from({ length: membersAtOnce }, work))
  return deviations
}

const membersAtOnce = 3
const given = 5000

const countAudits = (action: string) =>
  `(select count(*)::int from audit where company_id = $1 and action = '${action}')`
const countEffects = statement(
  `select count(*)::int as redemptions, count(distinct r.coupon_code)::int as redeemed,
     count(r.cancelled_at)::int as undone,
     ${countAudits('coupon.redeem')} as redeem_audits,
     ${countAudits('coupon.cancelRedeem')} as undo_audits,
     ${countAudits('coupon.issue')} as issue_audits,
     ${countAudits('points.redeem')} as spend_audits,
     ${countAudits('points.cancel')} as refund_audits,
     ${countAudits('coupon.issueByPoints')} as paid_audits,
     (select count(*)::int from coupon where company_id = $1 and used) as used,
     (select count(*)::int from coupon where company_id = $1) as coupons,
     (select count(*)::int from coupon where company_id = $1 and entry_id is not null) as paid,
     (select count(*)::int from transaction where company_id = $1) as receipts,
     (select count(*)::int from transaction_item where company_id = $1) as items,
     (select count(*)::int from point_entry where company_id = $1) as entries,
     (select jsonb_agg(distinct balance) from point_account where company_id = $1) as balances
   from coupon_redemption r where company_id = $1`,
  z.unknown(),
)

/** The rows that the races of a shop have left, and the rows that they must leave. */
export async function effectsOf({ database, id }: Shop, rounds: number) {
  const left = await database.reading(id, (tx) => tx.one(countEffects, [id]))
  const redemption = { redemptions: rounds, redeemed: rounds, undone: rounds, used: 0 }
  const audits = { redeem_audits: rounds, undo_audits: rounds, issue_audits: 3 * rounds }
  const ofPoints = { spend_audits: 3 * rounds, refund_audits: rounds, paid_audits: 3 * rounds }
  // The coupon of the redemption, three keys of two coupons, and three of one for points.
  const coupons = { coupons: 10 * rounds, paid: 3 * rounds }
  // Points of the beginning and of the sale, three spendings of which one is undone, three coupons.
  const entries = { entries: (2 + 4 + 3) * rounds, balances: [given + 25 - 2 * 300 - 3 * 100] }
  const sale = { receipts: rounds, items: rounds }
  const wanted = { ...redemption, ...audits, ...ofPoints, ...coupons, ...sale, ...entries }
  return { left, wanted }
}
