import { compareWithBare } from '../compare.ts'
import { fillCoupons, fillMembers, fillReceipts, settle } from '../fill.ts'
import { say, type Form } from '../report.ts'
import {
  type Asker,
  batchRedeems,
  homes,
  lists,
  lookUps,
  redeems,
  sales,
  type Shots,
  spends,
} from '../shots.ts'
import { openWorld, type World } from '../world.ts'

const sizes = {
  normal: { members: 1_000_000, rounds: 5, seconds: 2, warmUpSeconds: 2, everywhere: [8, 32] },
  short: { members: 20_000, rounds: 3, seconds: 1, warmUpSeconds: 1, everywhere: [8] },
} as const

/**
 * Measures the daily calls of a retail chain together, in a large company: first reads, then
 * writes.
 */
export async function measureMix(form: Form): Promise<void> {
  const { members } = sizes[form]
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await measureMixOf(world, members, 0, form)
  } finally {
    await world.close()
  }
}

/** The members with ten additional coupons each, for batches of five. */
const holders = 20_000

/** The same in a company that already has members and coupons. */
export async function measureMixOf(
  world: World,
  members: number,
  coupons: number,
  form: Form,
): Promise<void> {
  const singles = await fillDay(world, members, coupons)
  const of = `${members} members`
  const reads = { name: `mix of looking, ${of}`, shots: reading(world, members), reads: true }
  const shots = changing(world, members, coupons, singles)
  const writes = { name: `mix of changing, ${of}`, shots, reads: false }
  for (const comparison of [reads, writes]) {
    await compareWithBare(world, comparison, sizes[form])
  }
}

/** Fills a company with members, each with a receipt and coupons. */
export async function fillShop(world: World, members: number): Promise<void> {
  await fillMembers(world.ownerUrl, world.companyId, 0, members)
  await fillDay(world, members, 0)
}

/**
 * Adds a receipt for each member, and coupons after the existing ones.
 * @returns the number of the last coupon for single redemption; coupons for batches follow
 */
async function fillDay(
  { ownerUrl, companyId }: World,
  members: number,
  coupons: number,
): Promise<number> {
  const began = performance.now()
  const singles = coupons + 100_000
  await fillReceipts(ownerUrl, companyId, 0, members)
  await fillCoupons(ownerUrl, companyId, coupons, singles, members)
  await fillCoupons(ownerUrl, companyId, singles, singles + 10 * holders, holders)
  await settle(ownerUrl, companyId)
  say(`filled with ${members} members in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return singles
}

/** Percentages: look-up 40, home 20, coupons 15, points 15, receipts 10. */
function reading(asker: Asker, members: number): Shots {
  return weighed([
    [40, lookUps(asker, { kind: 'mobile', members })],
    [20, homes(asker, members)],
    [15, lists(asker, 'coupons', members)],
    [15, lists(asker, 'points', members)],
    [10, lists(asker, 'receipts', members)],
  ])
}

/** The calls of a retail chain: four reads for each sale. */
export function everything(asker: Asker, members: number): Shots {
  return weighed([
    [80, reading(asker, members)],
    [20, sales(asker, members)],
  ])
}

/** Percentages: sales 50, coupons 25, spending 15, five coupons together 10. */
function changing(asker: Asker, members: number, coupons: number, singles: number): Shots {
  let [single, batch] = [coupons, 0]
  return weighed([
    [50, sales(asker, members)],
    [25, redeems(asker, () => ++single, members)],
    [15, spends(asker, members)],
    [10, batchRedeems(asker, () => ++batch, holders, singles + 1)],
  ])
}

/** Chooses a kind of request at random, by weight. */
function weighed(kinds: readonly (readonly [weight: number, shots: Shots])[]): Shots {
  const all = kinds.flatMap(([weight, shots]) => Array.from({ length: weight }, () => shots))
  return () => {
    const shots = all[Math.floor(Math.random() * all.length)]
    if (shots === undefined) throw new Error('no kind of request')
    return shots()
  }
}
