import { compareWithBare, type Comparison } from './compare.ts'
import { fillCoupons, fillMembers, fillReceipts, settle } from './fill.ts'
import { signs } from './load.ts'
import { type Form, printFigure } from './report.ts'
import {
  batchRedeems,
  finds,
  homes,
  issues,
  lists,
  lookUps,
  redeems,
  sales,
  type Shots,
  spends,
  tillRedeems,
} from './shots.ts'
import { openWorld, type World } from './world.ts'

const sizes = {
  normal: {
    rounds: 3,
    seconds: 1,
    warmUpSeconds: 15,
    everywhere: [1, 8, 32],
    members: 20_000,
    singles: 400_000,
  },
  short: {
    rounds: 3,
    seconds: 1,
    warmUpSeconds: 1,
    everywhere: [8],
    members: 5_000,
    singles: 60_000,
  },
} as const

/**
 * Measures the daily calls of counters and tills. The product and the bare reference run
 * alternately, so that both have the same conditions. Then measures the memory of the server's
 * process.
 */
export async function measureCalls(form: Form, only?: string): Promise<void> {
  // Coupons 1 to `singles` are redeemed one at a time. The coupons after them are eight batches of
  // five for each member: a fast machine uses 90,000 batches, each once.
  const { members, singles } = sizes[form]
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await fillReceipts(world.ownerUrl, world.companyId, 0, members)
    const coupons = singles + 40 * members
    await fillCoupons(world.ownerUrl, world.companyId, 0, coupons, members)
    await settle(world.ownerUrl, world.companyId)
    for (const comparison of comparisons(world, form)) {
      if (only !== undefined && !comparison.name.startsWith(only)) continue
      await compareWithBare(world, comparison, sizes[form])
    }
    const memory = await world.productMemoryMib()
    printFigure({
      name: 'server after the load',
      value: memory,
      unit: 'MiB',
      target: 200,
      better: 'less',
    })
  } finally {
    await world.close()
  }
}

/** The short form measures what is `usual`. */
function comparisons(world: World, form: Form): Comparison[] {
  const { members, singles } = sizes[form]
  const batch = batchRedeems(world, counter(), members, singles + 1)
  const usual = [
    read('look-up by mobile', 0.75, lookUps(world, { kind: 'mobile', members })),
    read('home', 0.6, homes(world, members)),
    write('redeem', 0.6, redeems(world, counter(), members)),
    write('sale of a till', 0.5, sales(world, members)),
    write('spend points', 0.5, spends(world, members)),
  ]
  if (form === 'short') return usual
  return [
    ...usual,
    read('coupons', 0.6, lists(world, 'coupons', members)),
    read('points', 0.6, lists(world, 'points', members)),
    read('receipts', 0.6, lists(world, 'receipts', members)),
    write('redeem 5 together', 0.6, batch),
    write('issue', 0.5, issues(world, members)),
    write('spend points of one member', 0.5, spends(world, 1)),
  ]
}

function read(name: string, target: number, shots: Shots): Comparison {
  return { name, target, shots, reads: true }
}
function write(name: string, target: number, shots: Shots): Comparison {
  return { name, target, shots, reads: false }
}

/** Measures the daily calls of tills. */
export async function measureIntegration(form: Form): Promise<void> {
  const { members, singles } = sizes[form]
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await fillCoupons(world.ownerUrl, world.companyId, 0, singles, members)
    await settle(world.ownerUrl, world.companyId)
    const redemptions = tillRedeems(world, counter(), members)
    for (const comparison of [
      { name: 'till: find by mobile', shots: finds(world, members), reads: true },
      { name: 'till: redeem', target: 0.6, shots: redemptions, reads: false },
      { name: 'till: sale', target: 0.5, shots: sales(world, members), reads: false },
    ]) {
      await compareWithBare(world, comparison, sizes[form])
    }
  } finally {
    await world.close()
  }
}

/** A refused sale is answered with 200 as well, so the number of created sales is checked. */
export function right(body: string): boolean {
  return signs.some((sign) => body.includes(sign))
}

/** Each number once in the whole run, shared by product and reference. */
function counter(): () => number {
  let n = 0
  return () => ++n
}
