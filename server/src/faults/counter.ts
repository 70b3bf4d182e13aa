import { inject } from 'vitest'
import { logIn } from '../testing/company.ts'
import { testCoupon } from '../testing/coupon.ts'
import { testKey } from '../testing/key.ts'
import { memberWith, testSpendingShop } from '../testing/spending.ts'
import type { Shop } from '../testing/shop.ts'
import { audit } from './books.ts'
import type { Clerks } from './clerks.ts'
import type { Counter, Person } from './errands.ts'

/** The shop that is put through faults, and everything that its clerks need. */
export type FaultShop = { shop: Shop; counter: Counter }

const given = 3_000_000

/** Few members, so that requests meet; each with points and some coupons to begin with. */
export async function faultShop(url = inject('databaseUrl'), members = 4): Promise<FaultShop> {
  const shop = await testSpendingShop({}, url)
  const people: Person[] = []
  for (let n = 0; n < members; n++) {
    const member = await memberWith(shop, given)
    const coupons: string[] = []
    for (let c = 0; c < 4; c++) coupons.push(await testCoupon(shop, member))
    people.push({ ...member, coupons, given })
  }
  const [token, { key }] = await Promise.all([logIn(shop), testKey(shop)])
  return { shop, counter: { token, key, people } }
}

/** What is wrong after all, beside the counts that a report wants. */
export async function balanceBooks({ shop, counter }: FaultShop, { answered, tally }: Clerks) {
  const { lost, twice, broken } = await audit(shop, counter.people, answered)
  const { requests, acknowledged, retried, unanswered, away, givenUp, wrong } = tally
  const figures = [
    `${requests} requests, ${acknowledged} acknowledged, ${givenUp} given up`,
    `sent again ${retried} times (${unanswered} without an answer, ${away} times 503)`,
    `lost ${lost.length}, twice ${twice.length}`,
  ].join('; ')
  return { figures, findings: { lost, twice, broken, wrong } }
}

/** What `balanceBooks` finds when all is well. */
export const allWell = { lost: [], twice: [], broken: [], wrong: [] }

/** A database and a few processes take long to start where a machine has much else to do. */
export const hookMs = 300_000

/** Drawn anew by the long command, the same for everybody else; FAULT_SEED repeats one. */
export const isLong = process.env['FAULTS'] === 'long'
export const seed = Number(
  process.env['FAULT_SEED'] ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 20_261_121),
)
