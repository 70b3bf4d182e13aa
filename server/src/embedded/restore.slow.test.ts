import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { fullTest } from '../testing/full-test.ts'
import { startFromConfig } from './archive.ts'
import { archiveEnd } from './archive-end.ts'
import { projectRoot } from '../process/config.ts'
import { withoutWaits } from '../process/wait.ts'
import type { Embedded } from './embedded.ts'
import { migrate } from '../database/migrate.ts'
import { restore } from './restore.ts'

// A disaster in a shop with an archive, and its recovery to the moment before.
let folder: string
let shop: { dataDir: string; archiveDir: string }
let embedded: Embedded
let company: TestCompany
let owner: pg.Client
/** A moment after the last sale, as the command line takes it. */
let beforeDisaster = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-restore-'))
  shop = { dataDir: join(folder, 'data'), archiveDir: join(folder, 'archive') }
  // A folder that the server's user cannot enter would be replaced by another one and not be
  // cleaned up.
  await chmod(folder, 0o711)
  embedded = await startFromConfig(shop)
  company = await testCompany({}, await migrate(embedded.url))
  owner = new pg.Client({ connectionString: embedded.url })
  owner.on('error', () => {})
  await owner.connect()
})
afterAll(async () => {
  await company.close()
  await owner.end().catch(() => {})
  await embedded.destroy()
  for (const place of ['quiet', 'then', 'end'].filter(isRestored)) {
    await (await startFromConfig(at(place))).destroy()
  }
  await rm(folder, { recursive: true, force: true })
})

const at = (place: string) => ({ dataDir: join(folder, place), archiveDir: null })
const isRestored = (place: string) => existsSync(join(at(place).dataDir, 'postgres'))

type Ran = { code: number | null; stdout: string; stderr: string }

function run(program: string, words: string[], environment: Record<string, string>): Promise<Ran> {
  const child = spawn(program, words, {
    cwd: projectRoot,
    env: { ...process.env, DATABASE_URL: '', TMPDIR: folder, ...environment },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((done) =>
    child.once('close', (code) => {
      // Each command prints there which database it uses.
      done({ code, stdout, stderr: withoutWaits(stderr).replaceAll(/^Database: .*\n/gm, '') })
    }),
  )
}
const environment = () => ({ DATA_DIR: shop.dataDir, ARCHIVE_DIR: shop.archiveDir })
const tillside = (...words: string[]): Promise<Ran> =>
  run(
    process.execPath,
    [join(projectRoot, 'server/src/cli.ts'), 'database', ...words],
    environment(),
  )

const Restored = z.object({
  lastChange: z.nullable(z.iso.datetime()),
  rows: z.record(z.string(), z.int()),
})

/** Creates a member with points and coupons. */
async function trade(): Promise<void> {
  const member = await testMember(company)
  await givePoints(company, member, 500)
  await Promise.all(Array.from({ length: 5 }, () => testCoupon(company, member)))
}
async function rows(): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const table of [
    'company',
    'staff',
    'member',
    'point_entry',
    'coupon',
    'transaction',
    'audit',
  ]) {
    const { rows: counts } = await owner.query<{ n: string }>(`select count(*) as n from ${table}`)
    found[table] = Number(counts[0]?.n)
  }
  return found
}
fullTest('a quiet shop is restored to a moment after its last change', async () => {
  await trade()
  expect(await tillside('backup')).toMatchObject({ code: 0 })
  await trade()
  const before = await rows()
  const quiet = await owner.query<{ now: Date }>('select clock_timestamp() as now')
  const to = quiet.rows[0]?.now.toISOString() ?? ''
  const restored = await tillside('restore', at('quiet').dataDir, '--to', to, '--json')
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(Restored.parse(JSON.parse(restored.stdout)).rows).toEqual(before)
})

test('an archive to which a quiet server adds nothing ends now', { timeout: 60_000 }, async () => {
  // The first switch of the log leaves nothing for the second one.
  for (let n = 0; n < 3; n++) {
    const before = Date.now()
    const end = await archiveEnd(shop.archiveDir, shop.dataDir)
    expect(end?.getTime()).toBeGreaterThanOrEqual(before)
  }
})

test('a shop that lost everything is restored as it was', { timeout: 240_000 }, async () => {
  await trade()
  const backup = await tillside('backup')
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  for (let n = 0; n < 3; n++) await trade()
  const before = await rows()
  const moment = (await owner.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]?.now
  if (moment === undefined) throw new Error('no clock')
  beforeDisaster = moment.toISOString()

  await trade()
  const end = await rows()
  await owner.query('drop table point_entry cascade')
  await archiveEnd(shop.archiveDir, shop.dataDir)
  await owner.end()
  await embedded.destroy()

  const then = await tillside('restore', at('then').dataDir, '--to', beforeDisaster, '--json')
  expect([then.code, then.stderr]).toEqual([0, ''])
  const restored = Restored.parse(JSON.parse(then.stdout))
  expect(restored.rows).toEqual(before)
  expect(restored.rows).not.toEqual(end)
  expect(restored.lastChange !== null && restored.lastChange <= beforeDisaster).toBe(true)
})

fullTest('the drill restores the shop, checks it and leaves nothing', async () => {
  const drill = await run('sh', ['ops/restore-drill.sh', beforeDisaster], environment())
  expect([drill.code, drill.stderr]).toEqual([0, ''])
  expect(drill.stdout).toMatch(/^1 company, \d+ invariants: all hold$/m)
  expect(drill.stdout).toMatch(/^member +6$/m)
  expect((await readdir(folder)).filter((name) => name.startsWith('tillside-drill'))).toEqual([])
})

fullTest('without a time it restores the whole archive, including the disaster', async () => {
  const last = restore(shop.archiveDir, shop.dataDir, at('end').dataDir, null)
  await expect(last).rejects.toThrow('relation "point_entry" does not exist')
})

test.each([
  ['2001-01-01T00:00:00Z', 'no backup from before that time'],
  ['2999-01-01T00:00:00Z', 'the archive ends before 2999-01-01T00:00:00.000Z'],
])('it cannot restore to %s, and says so', async (moment, reason) => {
  const place = join(folder, `never-${moment.slice(0, 4)}`)
  const tried = restore(shop.archiveDir, shop.dataDir, place, new Date(moment))
  await expect(tried).rejects.toThrow(reason)
  // Nothing is left.
  expect(existsSync(join(place, 'postgres'))).toBe(false)
})

test('it never overwrites an existing database', async () => {
  const over = restore(shop.archiveDir, shop.dataDir, at('then').dataDir, null)
  await expect(over).rejects.toThrow(`there is a database in ${at('then').dataDir} already`)
})
