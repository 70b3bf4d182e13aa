import { randomUUID } from 'node:crypto'
import { redeemCoupon } from '@tillside/contract/coupon'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'
import { isCluster, findMisplaced } from './check.ts'
import { distribute } from './distribute.ts'

// On a real cluster, in `npm run test:cluster`.

const owner = new pg.Client({ connectionString: inject('ownerUrl') })
let company: TestCompany
const servers: ServerProcess[] = []
beforeAll(async () => {
  await owner.connect()
  company = await testCompany()
})
afterAll(async () => {
  for (const { process } of servers) process.kill('SIGKILL')
  await company.close()
  await owner.end()
})

test('a second run finds nothing to place', async () => {
  const { moves, placed, nodes } = await distribute(inject('ownerUrl'))
  expect(moves).toEqual([])
  expect(placed.length).toBeGreaterThan(60)
  expect(nodes.length).toBeGreaterThan(1)
})

test('doctor finds every table in its place', async () => {
  expect(await isCluster(company.database)).toBe(true)
  expect(await findMisplaced(company.database)).toEqual([])
})

test('the wall holds on the nodes: no rows without a company', async () => {
  const rows = await company.database.withoutCompany((tx) =>
    tx.all({ name: '', text: 'select member_id from member limit 1', row: z.unknown() }, []),
  )
  expect(rows).toEqual([])
})

const Shard = z.object({ id: z.coerce.number(), name: z.string(), port: z.int() })

async function readRows<T>(row: z.ZodMiniType<T>, text: string, values: unknown[]): Promise<T[]> {
  const { rows } = await owner.query(text, values)
  return rows.map((one) => row.parse(one))
}

test('a member moves to another node while her coupons are redeemed', async () => {
  const member = await testMember(company)
  const codes: string[] = []
  for (let n = 0; n < 60; n++) codes.push(await testCoupon(company, member))
  const server = startServer({ DATABASE_URL: inject('ownerUrl') })
  servers.push(server)
  const address = await server.ready
  const token = await logIn(company)
  const [from] = await readRows(
    Shard,
    `select shardid as id, nodename as name, nodeport as port
     from pg_dist_placement join pg_dist_node using (groupid)
     where noderole = 'primary'
       and shardid = get_shard_id_for_distribution_column('member', $1::uuid)`,
    [member.id],
  )
  const others = await readRows(
    Shard,
    `select 0 as id, nodename as name, nodeport as port from pg_dist_node
     where noderole = 'primary' and shouldhaveshards and nodeport <> $1`,
    [from?.port],
  )
  const [to] = others
  if (from === undefined || to === undefined) throw new Error('the cluster needs two nodes')
  let moved = false
  const moving = owner
    .query(
      `select citus_move_shard_placement($1, $2, $3, $4, $5,
         shard_transfer_mode => 'force_logical')`,
      [from.id, from.name, from.port, to.name, to.port],
    )
    .finally(() => {
      moved = true
    })
  const answers: unknown[] = []
  for (const couponCode of codes) {
    const given = { couponCode, memberCode: member.memberCode }
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
    answers.push((await post(address, redeemCoupon, given, headers)).code)
  }
  await moving
  expect(moved).toBe(true)
  expect(answers).toEqual(codes.map(() => 0))
  // All tables of the members' group move together.
}, 300_000)
