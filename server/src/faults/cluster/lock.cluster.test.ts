import { setTimeout as sleep } from 'node:timers/promises'
import type * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../database/database.ts'
import { lockBoth } from '../../merge/sides.ts'
import { lockStock } from '../../points/gift/stock.ts'
import { lockAccount } from '../../points/ledger.ts'
import {
  cleanUp,
  connectOwner,
  isSameNode,
  moveShard,
  readShard,
  readWorkers,
} from '../../testing/cluster/nodes.ts'
import { testMember } from '../../testing/factories/member.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { testSpendingShop } from '../../testing/factories/spending.ts'

// Rows that are locked do not move: two calls at the end of a move would both have the lock.

let owner: pg.Client
let watcher: pg.Client
let shop: Shop
let member: string
beforeAll(async () => {
  owner = await connectOwner()
  watcher = await connectOwner()
  shop = await testSpendingShop()
  member = (await testMember(shop)).id
})
afterAll(async () => {
  await shop.close()
  await owner.end()
  await watcher.end()
})

const isCopying = async () => {
  const { rowCount } = await watcher.query(
    `select from run_command_on_workers($$
       select count(*) from pg_replication_slots where slot_name like 'citus_shard_move%' and active
     $$) where result <> '0'`,
  )
  return rowCount !== 0
}

/** Whether the move waits for a lock, on the coordinator or on a node. */
const isWaiting = async () => (await watcher.query('select from citus_lock_waits')).rowCount !== 0

const locks: [name: string, table: string, key: () => string, lock: Lock][] = [
  ['a stock', 'stock', () => 'MUG', (tx) => lockStock(tx, shop.id, [['gift', 'MUG']])],
  ['an account', 'point_account', () => member, (tx) => lockAccount(tx, shop.id, member)],
  ['a member', 'member', () => member, (tx) => lockBoth(tx, shop.id, [member])],
]
type Lock = (tx: Transaction) => Promise<unknown>

test.each(locks)(
  'the lock of %s keeps its rows on their node',
  async (_, table, key, lock) => {
    await cleanUp(owner)
    const from = await readShard(owner, table, key())
    const to = (await readWorkers(owner)).find((worker) => !isSameNode(worker, from))
    if (to === undefined) throw new Error('the cluster needs two workers')
    const state = { moved: false }
    const move = moveShard(owner, from, to).then(() => (state.moved = true))
    while (!(await isCopying())) await sleep(5)
    const movedUnderLock = await shop.database.transaction(shop.id, async (tx) => {
      await lock(tx)
      while (!state.moved && !(await isWaiting())) await sleep(20)
      return state.moved
    })
    expect(movedUnderLock).toBe(false)
    await move
    expect(isSameNode(await readShard(owner, table, key()), to)).toBe(true)
  },
  60_000,
)
