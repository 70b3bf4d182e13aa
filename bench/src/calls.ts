import { fillCoupons, fillMembers, settle } from './fill.ts'
import { measure, median, type Rate } from './load.ts'
import { type Form, printFigure } from './report.ts'
import {
  batchRedeems,
  finds,
  lookUps,
  redeems,
  sales,
  type Shots,
  spends,
  tillRedeems,
} from './shots.ts'
import { openWorld, type World } from './world.ts'

const sizes = {
  normal: { rounds: 3, seconds: 0.8, everywhere: [1, 8, 32], members: 20_000, singles: 250_000 },
  short: { rounds: 3, seconds: 0.3, everywhere: [8], members: 5_000, singles: 50_000 },
} as const

/**
 * Measures the daily calls of counters and tills. The product and the bare reference run
 * alternately, so that both have the same conditions. Then measures the memory of the server's
 * process.
 */
export async function measureCalls(form: Form): Promise<void> {
  // Coupons 1 to `singles` are redeemed one at a time. The coupons after them are four batches of
  // five for each member.
  const { members, singles } = sizes[form]
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await fillCoupons(world.ownerUrl, world.companyId, 0, singles + 20 * members, members)
    await settle(world.ownerUrl, world.companyId)
    const [coupon, batch] = [counter(), counter()]
    const mobile = { kind: 'mobile', members } as const
    await compare(world, 'look-up by mobile', form, 0.6, (w) => lookUps(w, mobile))
    await compare(world, 'redeem', form, 0.5, (w) => redeems(w, coupon, members))
    await compare(world, 'redeem 5 together', form, 0.5, (w) =>
      batchRedeems(w, batch, members, singles + 1),
    )
    await compare(world, 'sale of a till', form, 0.5, (w) => sales(w, members))
    await compare(world, 'spend points', form, 0.5, (w) => spends(w, members))
    await compare(world, 'spend points of one member', form, 0.5, (w) => spends(w, 1))
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

async function compare(
  world: World,
  name: string,
  form: Form,
  target: number | null,
  shots: (world: World) => Shots,
): Promise<void> {
  const { rounds, seconds, everywhere } = sizes[form]
  for (const connections of everywhere) {
    const once = (origin: string): Promise<Rate> =>
      measure(origin, connections, seconds, shots(world), right)
    await once(world.product) // both warm up: connections open, statements prepared, code compiled
    await once(world.bare)
    const product: Rate[] = []
    const reference: Rate[] = []
    for (let round = 0; round < rounds; round++) {
      product.push(await once(world.product))
      reference.push(await once(world.bare))
    }
    const ratios = product.map((r, n) => r.perSecond / (reference[n]?.perSecond ?? Number.NaN))
    printFigure({
      name: `${name}, ${connections} connections`,
      value: median(ratios),
      unit: 'of bare',
      ...(target === null ? {} : { target }),
      from: {
        'per second': median(product.map((r) => r.perSecond)),
        bare: median(reference.map((r) => r.perSecond)),
        lowest: Math.min(...ratios),
        highest: Math.max(...ratios),
        'p99 ms': median(product.map((r) => r.p99Ms)),
      },
    })
  }
}

/** Measures the daily calls of tills. */
export async function measureIntegration(form: Form): Promise<void> {
  const { members, singles } = sizes[form]
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await fillCoupons(world.ownerUrl, world.companyId, 0, singles, members)
    await settle(world.ownerUrl, world.companyId)
    const coupon = counter()
    await compare(world, 'till: find by mobile', form, null, (w) => finds(w, members))
    await compare(world, 'till: redeem', form, null, (w) => tillRedeems(w, coupon, members))
    await compare(world, 'till: sale', form, 0.5, (w) => sales(w, members))
  } finally {
    await world.close()
  }
}

/** A refused sale is answered with 200 as well, so the number of created sales is checked. */
export function right(body: string): boolean {
  // A till's answer has no envelope.
  const isTill = body.startsWith('{"member":{') || body.includes('"status":"USED"')
  return body.startsWith('{"code":0') || isTill || body.includes('"created":1')
}

/** Each number once in the whole run, shared by product and reference. */
function counter(): () => number {
  let n = 0
  return () => ++n
}
