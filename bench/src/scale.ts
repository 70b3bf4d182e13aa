import { drive, type Supply } from './client/client.ts'
import { fillCoupons, fillMembers, settle } from './fill.ts'
import { median, type Shot } from './load.ts'
import { type Form, say, printFigure } from './report.ts'
import { keyKinds, lookUps, redeems, type Shots, spread } from './shots.ts'
import { measureMixOf } from './traffic/mix.ts'
import { openWorld, type World } from './world.ts'

const sizes = [10_000, 100_000, 1_000_000]
const rounds = 7
const secondsEach = 1
const connections = 8
/** Enough for every redemption of one size. */
const couponsEach = 100_000

/**
 * Grows one company to 10,000, 100,000 and 1,000,000 members. The cost of a look-up and a
 * redemption must not grow with it.
 */
export async function measureScale(form: Form): Promise<void> {
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
      lookUp.push(await rate(world, `look-up, ${size} members`, looking(byMobile)))
      const one = redeems(world, () => first + scattered(), size)
      redeem.push(await rate(world, `redeem, ${size} members`, changing(one)))
    }
    apart('look-up, 10 thousand to 1 million members', lookUp)
    apart('redeem, 10 thousand to 1 million members', redeem)
    const kinds: number[] = []
    for (const kind of keyKinds) {
      const shots = lookUps(world, { kind, members })
      kinds.push(await rate(world, `look-up by ${kind}, ${members} members`, looking(shots)))
    }
    apart('look-up, one kind of key to another', kinds)
    // Uses the million members for the mix as well.
    await measureMixOf(world, members, coupons, form)
  } finally {
    await world.close()
  }
}

function looking(next: Shots): Supply {
  return { next, mayRepeat: true, prepared: [] }
}
function changing(next: Shots): Supply {
  return { next, mayRepeat: false, prepared: [] }
}

/**
 * Prints the rate and returns it as a share of the rate of /readyz in the same turns: that call
 * does not depend on members, and other load on the machine affects both.
 */
async function rate(world: World, name: string, supply: Supply): Promise<number> {
  await drive(world.product, connections, 2, supply) // pages are loaded into memory
  const [rates, shares]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const pings = await drive(world.product, connections, secondsEach, looking(ping))
    const { perSecond } = await drive(world.product, connections, secondsEach, supply)
    rates.push(perSecond)
    shares.push(perSecond / pings.perSecond)
  }
  const share = median(shares)
  printFigure({ name, value: median(rates), unit: 'a second', from: { 'of pings': share } })
  return share
}

function ping(): Shot {
  return { method: 'GET', path: '/readyz', headers: {} }
}

/** Compares the fastest with the slowest. */
function apart(name: string, shares: readonly number[]): void {
  const value = Math.max(...shares) / Math.min(...shares)
  printFigure({ name, value, unit: 'times', target: 1.3, better: 'less' })
}
