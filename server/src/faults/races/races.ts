import { randomUUID } from 'node:crypto'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { findMember } from '@tillside/contract/integration/members'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { Envelope } from '@tillside/contract/wire/endpoint'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith } from '../../testing/factories/spending.ts'
import { type Door, send, sendAsTill } from '../doors.ts'
import { given, run, type Step } from './course.ts'

// Requests that race at two server processes, for members of a shop where points can be spent.

type Doors = readonly [Door, Door]

/** The calls that race, each of which one round trip can answer. */
export const raced = [
  redeemCoupon,
  cancelCouponRedeem,
  batchRedeemCoupons,
  issueCoupon,
  redeemPoints,
  cancelPoints,
  issueCouponByPoints,
  postTransactions,
] as const

/** The deviations of a race: a repeat with other bytes, or not exactly one success. */
export type Deviation = { name: string; answers: string[] }
type Raced = { own: string; deviations: Deviation[] }

/** Whether an answer is the right one for a repeat, besides the same bytes. */
type Allowed = (first: string, repeated: string) => boolean

const codeOf = (text: string): number => Envelope.parse(JSON.parse(text)).code

/**
 * Sends one request twice with the same key, to two doors, and once with a key of its own to each.
 * Then repeats the first request at both, in another language.
 */
async function race(
  [one, other]: Doors,
  { name, endpoint, input, loser }: Step,
  isAllowed: Allowed,
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
  const isSame = [others[0] ?? '', ...later].every((text) => text === own || isAllowed(own, text))
  const isRight = isSame && JSON.stringify(codes) === JSON.stringify(wanted)
  const deviation = { name, answers: [...answers, ...later] }
  return { own, deviations: isRight ? [] : [deviation] }
}

/** Sends one receipt twice to each of two doors, and repeats it at both. */
async function raceReceipt([one, other]: Doors, name: string, input: object): Promise<Deviation[]> {
  const sendTo = (door: Door) => sendAsTill(door, postTransactions, { items: [input] })
  const answers = await Promise.all([one, other, one, other].map(sendTo))
  const later = await Promise.all([one, other].map(sendTo))
  const unchanged = [...answers.filter((text) => !text.includes('"created":1')), ...later]
  const isRight =
    unchanged.length === 5 &&
    new Set(unchanged).size === 1 &&
    unchanged[0]?.includes('"unchanged":1') === true
  return isRight ? [] : [{ name, answers: [...answers, ...later] }]
}

/** Lets all kinds of requests race at two doors for one new member. */
async function raceOne(doors: Doors, shop: Shop, isAllowed: Allowed): Promise<Deviation[]> {
  const member = await memberWith(shop, given)
  const { memberCode } = member
  // Both processes know the member, as after a look-up at the counter. Otherwise the first race is
  // lost by a release that finds an unknown member in another round trip.
  await Promise.all(doors.map((door) => sendAsTill(door, findMember, { memberCode })))
  const found: Deviation[] = []
  await run(shop, member, {
    change: async (step) => {
      const { own, deviations } = await race(doors, step, isAllowed)
      found.push(...deviations)
      return own
    },
    record: async (name, input) => {
      found.push(...(await raceReceipt(doors, name, input)))
    },
  })
  return found
}

const membersAtOnce = 3

/**
 * Lets requests race at two doors, of a new member each time and of a few members at once.
 * @returns the deviations
 */
export async function raceAt(
  [a, b]: Doors,
  shop: Shop,
  rounds: number,
  isAllowed: Allowed = () => false,
): Promise<Deviation[]> {
  const deviations: Deviation[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let n = next++; n < rounds; n = next++) {
      deviations.push(...(await raceOne(n % 2 === 0 ? [a, b] : [b, a], shop, isAllowed)))
    }
  }
  await Promise.all(Array.from({ length: membersAtOnce }, work))
  return deviations
}
