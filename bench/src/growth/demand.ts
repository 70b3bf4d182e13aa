import { readdir, readFile } from 'node:fs/promises'
import * as pg from 'pg'
import { right } from '../calls.ts'
import { fillMembers, settle } from '../fill.ts'
import { fillShop } from '../traffic/mix.ts'
import { measure } from '../load.ts'
import { say } from '../report.ts'
import { homes, lists, lookUps, redeems, type Shots, sales, spends, spread } from '../shots.ts'
import { openWorld, type World } from '../world.ts'

/** What one call takes of a processor, in milliseconds, and what it leaves on disk, in bytes. */
export type Demand = { databaseMs: number; serverMs: number; bytes: number }
export type Demands = {
  calls: Record<CallName, Demand>
  /** One look into the directory, one entry more in it. */
  probe: Demand
  entry: Demand
  bytesPerMember: number
}
export type CallName =
  | 'look-up'
  | 'home'
  | 'coupons'
  | 'points'
  | 'receipts'
  | 'sale'
  | 'redeem'
  | 'spend'

const members = 100_000
const seconds = 6
const connections = 4

/**
 * Measures service demands: processor time of all processes of the database, and of the server,
 * divided by calls (D = U T / C, the utilization law; Lazowska et al., Quantitative System
 * Performance, 1984, chapter 3). Unlike times of day they do not depend on who else computes here.
 */
export async function measureDemands(): Promise<Demands> {
  const world = await openWorld()
  const owner = new pg.Client({ connectionString: world.ownerUrl })
  await owner.connect()
  try {
    const before = await storedBytes(owner)
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await settle(world.ownerUrl, world.companyId)
    const bytesPerMember = ((await storedBytes(owner)) - before) / members
    const coupons = await fillShop(world, 0, members)
    const calls = await measureCalls(world, owner, coupons)
    const { probe, entry } = await measureDirectory(owner, world.companyId)
    return { calls, probe, entry, bytesPerMember }
  } finally {
    await owner.end()
    await world.close()
  }
}
