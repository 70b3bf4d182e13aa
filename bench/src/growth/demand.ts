import * as pg from 'pg'
import * as z from 'zod/mini'
import { right } from '../calls.ts'
import { fillCoupons, fillMembers, fillReceipts, settle } from '../fill.ts'
import { measure } from '../load.ts'
import { say } from '../report.ts'
import { homes, lists, lookUps, redeems, type Shots, sales, spends, spread } from '../shots.ts'
import { openWorld, type World } from '../world.ts'
import { processorTime } from './processor.ts'

export const callNames = [
  'look-up',
  'home',
  'coupons',
  'points',
  'receipts',
  'sale',
  'redeem',
  'spend',
] as const
export type CallName = (typeof callNames)[number]
/** Processor time of one call, in milliseconds, and the bytes that it stores permanently. */
const Demand = z.object({ databaseMs: z.number(), serverMs: z.number(), bytes: z.number() })
export type Demand = z.infer<typeof Demand>
const Calls = z.record(z.enum(callNames), Demand)
export const Demands = z.object({
  calls: Calls,
  /** Of a member without receipts, and of one coupon. */
  bytesPerMember: z.number(),
  bytesPerCoupon: z.number(),
})
export type Demands = z.infer<typeof Demands>

const members = 100_000
const coupons = 300_000
const seconds = 6
const connections = 4

/**
 * Measures service demands: processor time of all processes of the database and of the server,
 * divided by calls (D = U T / C, the utilization law; Lazowska et al., Quantitative System
 * Performance, 1984, chapter 3). Other load on the machine affects them less than elapsed times.
 */
export async function measureDemands(): Promise<Demands> {
  const world = await openWorld()
  const owner = new pg.Client({ connectionString: world.ownerUrl })
  await owner.connect()
  try {
    const sizes = [await storedBytes(owner)]
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    sizes.push(await storedBytes(owner))
    await fillCoupons(world.ownerUrl, world.companyId, 0, coupons, members)
    sizes.push(await storedBytes(owner))
    await fillReceipts(world.ownerUrl, world.companyId, 0, members)
    await settle(world.ownerUrl, world.companyId)
    const [empty = 0, joined = 0, given = 0] = sizes
    return {
      calls: await measureCalls(world, owner),
      bytesPerMember: (joined - empty) / members,
      bytesPerCoupon: (given - joined) / coupons,
    }
  } finally {
    await owner.end()
    await world.close()
  }
}

async function measureCalls(world: World, owner: pg.Client): Promise<Demands['calls']> {
  const next = spread(coupons)
  const shots: Record<CallName, Shots> = {
    'look-up': lookUps(world, { kind: 'mobile', members }),
    home: homes(world, members),
    coupons: lists(world, 'coupons', members),
    points: lists(world, 'points', members),
    receipts: lists(world, 'receipts', members),
    sale: sales(world, members),
    redeem: redeems(world, next, members),
    spend: spends(world, members),
  }
  const found: Record<string, Demand> = {}
  for (const kind of callNames) {
    // plans are made and pages are cached
    await measure(world.product, connections, 1, shots[kind], right)
    const before = { ...(await processorTime()), bytes: await storedBytes(owner) }
    let count = 0
    const counted = () => {
      count += 1
      return shots[kind]()
    }
    await measure(world.product, connections, seconds, counted, right)
    const after = await processorTime()
    found[kind] = {
      databaseMs: ((after.database - before.database) * 1000) / count,
      serverMs: ((after.server - before.server) * 1000) / count,
      bytes: Math.max(0, ((await storedBytes(owner)) - before.bytes) / count),
    }
    say(`${kind}: ${count} calls, ${JSON.stringify(found[kind])}`)
  }
  return Calls.parse(found)
}

/**
 * The size of all tables with their indexes, except tables whose rows are kept for only two days.
 */
async function storedBytes(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(oid))::text as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('operation', 'outbox', 'message')`,
  )
  return Number(rows[0]?.bytes)
}
