import { randomUUID } from 'node:crypto'
import { measure, median, type Rate, type Shot } from './load.ts'
import { members, singles, type World } from './world.ts'

const rounds = 5
const secondsEach = 2

/** One line of the report: the product's rate as a share of the reference's, in the same run. */
export type Comparison = {
  name: string
  connections: number
  product: number
  reference: number
  ratio: number
  target: number
  p99Ms: number
}

/**
 * Look-up by mobile and redeem, each against the bare reference, in turns, so that both see the
 * same machine.
 */
export async function compareCalls(world: World, report: (row: Comparison) => void): Promise<void> {
  for (const connections of [1, 8, 32]) {
    report(await compare(world, 'look-up by mobile', connections, lookUps, 0.6))
  }
  const codes = couponCodes()
  for (const connections of [1, 8, 32]) {
    report(await compare(world, 'redeem', connections, (w) => redeems(w, codes), 0.5))
  }
  const batches = couponCodes()
  for (const connections of [1, 8, 32]) {
    const shots = (w: World) => batchRedeems(w, batches)
    report(await compare(world, 'redeem 5 together', connections, shots, 0.5))
  }
}

async function compare(
  world: World,
  name: string,
  connections: number,
  shots: (world: World) => () => Shot | null,
  target: number,
): Promise<Comparison> {
  const once = (origin: string, seconds: number): Promise<Rate> =>
    measure(origin, connections, seconds, shots(world), right)
  await once(world.product, 1) // both warm: connections open, statements prepared, code compiled
  await once(world.bare, 1)
  const product: Rate[] = []
  const reference: Rate[] = []
  for (let round = 0; round < rounds; round++) {
    product.push(await once(world.product, secondsEach))
    reference.push(await once(world.bare, secondsEach))
  }
  const ratios = product.map((r, n) => r.perSecond / (reference[n]?.perSecond ?? Number.NaN))
  return {
    name,
    connections,
    product: middleRate(product),
    reference: middleRate(reference),
    ratio: median(ratios),
    target,
    p99Ms: median(product.map((r) => r.p99Ms)),
  }
}

function lookUps(world: World): () => Shot {
  let n = 0
  const headers = { authorization: `Bearer ${world.token}`, 'user-language': 'en-US' }
  return () => {
    n = (n * 31 + 7) % members
    const query = `countryCode=852&mobile=${60000001 + n}`
    const path = `/web/api/v1/connector/customer/getOneCustomer?${query}`
    return { method: 'GET', path, headers }
  }
}

function right(body: string): boolean {
  return body.startsWith('{"code":0')
}

function middleRate(rates: Rate[]): number {
  return Math.round(median(rates.map((rate) => rate.perSecond)))
}

/** Each batch is five coupons of one member, from behind those that are redeemed one by one. */
function batchRedeems(world: World, nextBatch: () => number): () => Shot {
  const behind = singles + 1
  return () => {
    const batch = nextBatch()
    const member = batch % members
    const first = behind + ((member - (behind % members) + members) % members)
    const group = 5 * Math.floor(batch / members)
    const numbers = [0, 1, 2, 3, 4].map((k) => first + members * (group + k))
    const body = {
      couponCodes: numbers.map((n) => String(n).padStart(12, '0')),
      memberCode: `M${1 + member}`,
    }
    return post(world, '/web/api/v1/connector/coupon/batchRedeem', body)
  }
}

/** Every coupon once over the whole run, whoever redeems it. */
function couponCodes(): () => number {
  let n = 0
  return () => ++n
}

function redeems(world: World, nextCode: () => number): () => Shot {
  return () => {
    const n = nextCode()
    const body = {
      couponCode: String(n).padStart(12, '0'),
      memberCode: `M${1 + (n % members)}`,
    }
    return post(world, '/web/api/v1/connector/coupon/redeem', body)
  }
}

function post(world: World, path: string, body: object): Shot {
  const headers = {
    authorization: `Bearer ${world.token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}
