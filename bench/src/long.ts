import { right } from './calls.ts'
import { fillCoupons, fillEntries, fillMembers, settle } from './fill.ts'
import { measure, median } from './load.ts'
import { printFigure } from './report.ts'
import { couponLists, histories, type Shots } from './shots.ts'
import { openWorld, type World } from './world.ts'

// Short turns, so that other load on the machine affects both members equally.
const rounds = 51
const secondsEach = 0.1
const members = 1000

/**
 * Compares members with a long history to members with a short one: the first page should cost the
 * same.
 */
export async function measureLong(): Promise<void> {
  const world = await openWorld()
  const { ownerUrl, companyId } = world
  try {
    await fillMembers(ownerUrl, companyId, 0, members)
    await fillEntries(ownerUrl, companyId, 1, 100_000)
    await fillEntries(ownerUrl, companyId, 2, 100)
    // Ten for each member, then ten thousand for M1 alone.
    await fillCoupons(ownerUrl, companyId, 0, 10 * members, members)
    await fillCoupons(ownerUrl, companyId, 10 * members, 10 * members + 10_000, 1)
    await settle(ownerUrl, companyId)
    const [long, short] = [1, 2]
    await compare(world, 'history of 100,000 entries to one of 100', 1.5, (member) =>
      histories(world, member === 'long' ? long : short),
    )
    // The list counts all coupons exactly, so there is no target.
    await compare(world, 'list of 10,000 coupons to one of 10', undefined, (member) =>
      couponLists(world, member === 'long' ? long : short),
    )
  } finally {
    await world.close()
  }
}

async function compare(
  world: World,
  name: string,
  target: number | undefined,
  shots: (member: 'long' | 'short') => Shots,
): Promise<void> {
  const once = (member: 'long' | 'short') =>
    measure(world.product, 1, secondsEach, shots(member), right)
  await once('long')
  await once('short')
  const long: number[] = []
  const short: number[] = []
  for (let round = 0; round < rounds; round++) {
    long.push((await once('long')).p50Ms)
    short.push((await once('short')).p50Ms)
  }
  const [longMs, shortMs] = [median(long), median(short)]
  printFigure({
    name,
    value: longMs / shortMs,
    unit: 'times',
    ...(target === undefined ? {} : { target }),
    better: 'less',
    from: { 'long ms': longMs, 'short ms': shortMs },
  })
}
