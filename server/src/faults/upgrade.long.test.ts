import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '../database/database.ts'
import { findViolations } from '../jobs/invariants.ts'
import { waitUntil } from '../process/wait.ts'
import { seedAtLevel } from '../testing/repetition.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { audit } from './books.ts'
import { Clerks } from './clerks.ts'
import type { Person } from './errands.ts'
import { misplacedRows } from './changes/misplaced.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// An upgrade while clerks and tills work: the release before serves, this release starts and
// migrates the database, both serve, and only this one stays. The earlier one merges and parts
// members meanwhile.

const seed = seedAtLevel('FAULT_SEED', 20_261_125)
const commit = commitBefore('server/migrations/0120_contract_receipts.sql')
const runFile = promisify(execFile)

// The earlier release creates its shop itself, because this one needs the tables of this one.
const script = `
import { migrate } from './server/src/database/migrate.ts'
import { faultShop } from './server/src/faults/counter.ts'
import { testCoupon } from './server/src/testing/factories/coupon.ts'
import { testSale } from './server/src/testing/factories/receipt.ts'
import { memberWith, testSpendingShop } from './server/src/testing/factories/spending.ts'
const url = await migrate(process.env.DATABASE_URL)
const at = await faultShop(0, { members: 6, url, environment: {} })
const other = await testSpendingShop({}, url)
const pair = [await memberWith(other, 100), await memberWith(other, 200)]
for (const member of pair) for (let n = 0; n < 20; n++) {
  await testSale(other, member)
  await testCoupon(other, member)
}
const { id } = at.shop
const merged = { id: other.id, identifier: other.identifier, pair }
process.stdout.write(JSON.stringify({ url, id, counter: at.counter, merged }))
await other.close()
await at.close()
`
const Member = z.object({ id: z.string(), memberCode: z.string() })
const Made = z.object({
  url: z.string(),
  id: z.string(),
  counter: z.object({
    token: z.string(),
    key: z.string(),
    people: z.array(
      z.extend(Member, {
        coupons: z.array(z.string()),
        used: z.array(z.string()),
        given: z.int(),
      }),
    ),
  }),
  /** A shop whose members are merged. */
  merged: z.object({ id: z.string(), identifier: z.string(), pair: z.array(Member) }),
})

const countOwn = `select
  (select count(*)::int from transaction where company_id = $1 and member_id = $2) as receipts,
  (select count(*)::int from coupon where company_id = $1 and member_id = $2) as coupons`

describe.skipIf(commit === null)(
  `an upgrade from the release before${unlessWithout(commit)}`,
  () => {
    test('loses nothing and does nothing twice', { timeout: 600_000 }, async () => {
      const name = `upgrade_${randomBytes(4).toString('hex')}`
      const superuser = new pg.Client({ connectionString: inject('ownerUrl') })
      await superuser.connect()
      await superuser.query(`create database ${name}`)
      const ownerUrl = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${name}` }).href
      const environment = { DATABASE_URL: ownerUrl, LOG_LEVEL: 'silent' }
      const earlier = await checkOut(commit ?? '')
      const runEarlier = (...words: string[]) =>
        runFile(process.execPath, words, {
          cwd: earlier.folder,
          env: { ...process.env, ...environment },
        })
      const servers: ServerProcess[] = []
      try {
        await writeFile(join(earlier.folder, 'seed.ts'), script)
        const { stdout } = await runEarlier('seed.ts')
        const { url, id, counter: made, merged } = Made.parse(JSON.parse(stdout))
        const people = made.people.map((person): Person => ({ ...person, spent: [], sold: [] }))
        const counter = { ...made, people }
        const before = startServer(environment, earlier.folder)
        servers.push(before)
        let addresses = [await before.ready]
        const clerks = new Clerks(counter, () => addresses)
        void clerks.work(6, seed)
        const answered = (count: number) => {
          const from = clerks.answered.length
          return waitUntil(async () => clerks.answered.length >= from + count)
        }
        expect(await answered(60)).toBe(true)

        let isOver = false
        const merging = mergeUntil(() => isOver)
        async function mergeUntil(isDone: () => boolean): Promise<number> {
          const { identifier, pair } = merged
          const [one = '', other = ''] = pair.map(({ memberCode }) => memberCode)
          const cli = ['server/src/cli.ts', 'member']
          const author = ['--by', 'Ann Lee', '--reason', 'an upgrade']
          for (let n = 0; ; n++) {
            if (isDone()) return n
            await runEarlier(...cli, 'merge', identifier, one, other, '--confirm', ...author)
            await runEarlier(...cli, 'unmerge', identifier, other, ...author)
          }
        }
        const now = startServer(environment)
        servers.push(now)
        const ours = await now.ready
        addresses = [...addresses, ours]
        expect(await answered(100)).toBe(true)
        isOver = true
        expect(await merging).toBeGreaterThan(0)
        addresses = [ours]
        before.process.kill()
        expect(await answered(60)).toBe(true)
        await clerks.finish(ours)

        const database = openDatabase(url)
        const violationsOf = async (company: string) =>
          (await database.reading(company, (tx) => findViolations(tx, company))).map((v) => v.found)
        const violations = () => violationsOf(id)
        const found = await audit({ database, id, violations }, counter.people, clerks.answered)
        const broken = [...found.broken, ...(await violationsOf(merged.id))]
        await database.close()
        const client = new pg.Client({ connectionString: ownerUrl })
        await client.connect()
        const companies = [id, merged.id]
        const misplaced = await Promise.all(
          companies.map((one) => client.query(misplacedRows, [one])),
        )
        const owned = await Promise.all(
          merged.pair.map((member) => client.query(countOwn, [merged.id, member.id])),
        )
        await client.end()
        const { wrong } = clerks.tally
        expect({ ...found, broken, wrong }).toEqual({ lost: [], twice: [], broken: [], wrong: [] })
        expect(misplaced.flatMap(({ rows }) => rows)).toEqual([])
        const own = { receipts: 20, coupons: 20 }
        expect(owned.flatMap(({ rows }) => rows)).toEqual([own, own])
      } finally {
        for (const { process } of servers) process.kill('SIGKILL')
        await Promise.all(servers.map(({ ended }) => ended))
        await superuser.query(`drop database ${name} with (force)`)
        await superuser.end()
        await earlier.remove()
      }
    })
  },
)
