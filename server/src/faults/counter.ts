import { chmod } from 'node:fs/promises'
import { inject } from 'vitest'
import { startEmbedded } from '../embedded/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { seedAtLevel } from '../testing/repetition.ts'
import { logIn } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testKey } from '../testing/factories/key.ts'
import { memberWith, testSpendingShop } from '../testing/factories/spending.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { audit } from './books.ts'
import type { Clerks } from './clerks.ts'
import type { Counter, Person } from './errands.ts'
import { Fleet } from './fleet.ts'

/** A shop under test, the data its clerks need, and the server processes. */
export type FaultShop = {
  shop: Shop
  counter: Counter
  fleet: Fleet
  close(): Promise<void>
}

const given = 3_000_000

/**
 * Creates a shop with few members, so that requests conflict. Each has points and some coupons.
 * @param processes number of server processes
 * @param members their number
 * @param url a database other than the test run's
 * @param environment with which the processes reach that database
 */
export async function faultShop(
  processes: number,
  {
    members = 4,
    url = inject('databaseUrl'),
    environment = { DATABASE_URL: inject('ownerUrl') },
  }: Own = {},
): Promise<FaultShop> {
  const shop = await testSpendingShop({}, url)
  const people: Person[] = []
  for (let n = 0; n < members; n++) {
    const member = await memberWith(shop, given)
    const coupons: string[] = []
    for (let c = 0; c < 4; c++) coupons.push(await testCoupon(shop, member))
    people.push({ ...member, coupons, used: [], spent: [], sold: [], given })
  }
  const [token, { key }] = await Promise.all([logIn(shop), testKey(shop)])
  const fleet = await Fleet.of(processes, environment)
  const close = async () => {
    await fleet.close()
    await shop.close()
  }
  return { shop, counter: { token, key, people }, fleet, close }
}

type Own = { members?: number; url?: string; environment?: Record<string, string> }

/** The same on an embedded PostgreSQL of its own. */
export async function embeddedShop(folder: string, processes: number): Promise<FaultShop> {
  // PostgreSQL runs as another user and must be able to enter the folder.
  await chmod(folder, 0o711)
  const embedded = await startEmbedded(folder)
  const url = await migrate(embedded.url)
  const at = await faultShop(processes, { url, environment: { DATA_DIR: folder } })
  const close = async () => {
    await at.close()
    await embedded.destroy()
  }
  return { ...at, close }
}

/**
 * Ends every fault test: clerks finish and repeat their requests, then the database is checked.
 * @returns the findings, the counts as a text, and whether a call was answered in one round trip
 *   before the repeats
 */
export async function settle({ shop, counter, fleet }: FaultShop, clerks: Clerks) {
  const atOnce = await fleet.answeredAtOnce()
  await clerks.finish(fleet.addresses()[0] ?? '')
  const { answered, tally } = clerks
  const { lost, twice, broken } = await audit(shop, counter.people, answered)
  const { requests, acknowledged, retried, unanswered, away, givenUp, wrong } = tally
  const figures = [
    `${requests} requests, ${acknowledged} acknowledged, ${givenUp} given up`,
    `sent again ${retried} times (${unanswered} without an answer, ${away} times 503)`,
    `lost ${lost.length}, twice ${twice.length}; ${atOnce} answered in one round trip`,
  ].join('; ')
  // Without a single request all other findings would be empty as well.
  const idle = answered.length === 0
  const isAtOnce = atOnce > 0
  return { figures, isAtOnce, findings: { lost, twice, broken, wrong, fallen: fleet.fallen, idle } }
}

/** The findings of `settle` when nothing is wrong. */
export const allWell = { lost: [], twice: [], broken: [], wrong: [], fallen: [], idle: false }

/** A busy machine takes long to start a database and several processes. */
export const hookMs = 300_000

/** FAULT_SEED repeats a run. */
export const seed = seedAtLevel('FAULT_SEED', 20_261_121)
