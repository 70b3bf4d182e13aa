import { fillCoupons, fillMembers, settle } from './fill.ts'
import { measure, median, type Rate } from './load.ts'
import { tell } from './report.ts'
import { batchRedeems, lookUps, redeems, sales, type Shots, spends } from './shots.ts'
import { openWorld, type World } from './world.ts'

const rounds = 5
const secondsEach = 1
const members = 20_000
/** Coupons that are redeemed one by one; behind them lie four batches of five for each member. */
const singles = 250_000

/**
 * What a counter and a till do all day, each against the bare reference, in turns, so that both see
 * the same machine; then what the server's process has come to hold.
 */
export async function measureCalls(): Promise<void> {
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await fillCoupons(world.ownerUrl, world.companyId, 0, singles + 20 * members, members)
    await settle(world.ownerUrl, world.companyId)
    const everywhere = [1, 8, 32]
    const [coupon, batch] = [counter(), counter()]
    const mobile = { kind: 'mobile', members } as const
    await compare(world, 'look-up by mobile', everywhere, 0.6, (w) => lookUps(w, mobile))
    await compare(world, 'redeem', everywhere, 0.5, (w) => redeems(w, coupon, members))
    await compare(world, 'redeem 5 together', everywhere, 0.5, (w) =>
      batchRedeems(w, batch, members, singles + 1),
    )
    await compare(world, 'sale of a till', everywhere, 0.5, (w) => sales(w, members))
    await compare(world, 'spend points', everywhere, 0.5, (w) => spends(w, members))
    await compare(world, 'spend points of one member', everywhere, 0.5, (w) => spends(w, 1))
    const memory = await world.productMemoryMib()
    tell({ name: 'server after the load', value: memory, unit: 'MiB', target: 200, better: 'less' })
  } finally {
    await world.close()
  }
}

async function compare(
  world: World,
  name: string,
  everywhere: readonly number[],
  target: number,
  shots: (world: World) => Shots,
): Promise<void> {
  for (const connections of everywhere) {
    const once = (origin: string): Promise<Rate> =>
      measure(origin, connections, secondsEach, shots(world), right)
    await once(world.product) // both warm: connections open, statements prepared, code compiled
    await once(world.bare)
    const product: Rate[] = []
    const reference: Rate[] = []
    for (let round = 0; round < rounds; round++) {
      product.push(await once(world.product))
      reference.push(await once(world.bare))
    }
    const ratios = product.map((r, n) => r.perSecond / (reference[n]?.perSecond ?? Number.NaN))
    tell({
      name: `${name}, ${connections} connections`,
      value: median(ratios),
      unit: 'of bare',
      target,
      from: {
        'per second': median(product.map((r) => r.perSecond)),
        bare: median(reference.map((r) => r.perSecond)),
        'p99 ms': median(product.map((r) => r.p99Ms)),
      },
    })
  }
}

/** A sale that was refused is answered as one that went well, but for its count. */
export function right(body: string): boolean {
  return body.startsWith('{"code":0') && !body.includes('"created":0')
}

/** Every number once over the whole run, whoever asks. */
function counter(): () => number {
  let n = 0
  return () => ++n
}
