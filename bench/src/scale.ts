import { right } from './calls.ts'
import { fillCoupons, fillMembers, settle } from './fill.ts'
import { measure, median } from './load.ts'
import { say, tell } from './report.ts'
import { keyKinds, lookUps, redeems, type Shots, spread } from './shots.ts'
import { openWorld, type World } from './world.ts'

const sizes = [10_000, 100_000, 1_000_000]
const rounds = 5
const connections = 8
/** Enough for every redemption of one size. */
const couponsEach = 100_000

/**
 * The same company grown to ten thousand, a hundred thousand and a million members: what a look-up
 * and a redemption cost must not follow.
 */
export async function measureScale(): Promise<void> {
  const world = await openWorld()
  try {
    const lookUp: number[] = []
    const redeem: number[] = []
    let [members, coupons] = [0, 0]
    for (const size of sizes) {
      const began = performance.now()
      const first = coupons
      coupons += Math.max(couponsEach, size - members)
      await fillMembers(world.ownerUrl, world.companyId, members, size)
      await fillCoupons(world.ownerUrl, world.companyId, first, coupons, size)
      await settle(world.ownerUrl, world.companyId)
      members = size
      say(`grown to ${size} members in ${((performance.now() - began) / 1000).toFixed(0)} s`)
      const scattered = spread(coupons - first)
      const byMobile = lookUps(world, { kind: 'mobile', members: size })
      lookUp.push(await rate(world, `look-up, ${size} members`, byMobile))
      const one = redeems(world, () => first + scattered(), size)
      redeem.push(await rate(world, `redeem, ${size} members`, one))
    }
    apart('look-up, 10 thousand to 1 million members', lookUp)
    apart('redeem, 10 thousand to 1 million members', redeem)
    const kinds: number[] = []
    for (const kind of keyKinds) {
      const shots = lookUps(world, { kind, members })
      kinds.push(await rate(world, `look-up by ${kind}, ${members} members`, shots))
    }
    apart('look-up, one kind of key to another', kinds)
  } finally {
    await world.close()
  }
}

async function rate(world: World, name: string, shots: Shots): Promise<number> {
  await measure(world.product, connections, 2, shots, right) // pages come into memory
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { perSecond } = await measure(world.product, connections, 1, shots, right)
    rates.push(perSecond)
  }
  const value = median(rates)
  tell({ name, value, unit: 'a second' })
  return value
}

/** How far the quickest is from the slowest. */
function apart(name: string, rates: readonly number[]): void {
  const value = Math.max(...rates) / Math.min(...rates)
  tell({ name, value, unit: 'times', target: 1.3, better: 'less' })
}
