import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { atOnce, callsBesideTables } from './placement/apart.ts'
import { calledBy, type Inner, statementsOfFunctions } from './placement/functions.ts'
import { brokenRules } from './placement/rules.ts'
import { columnOf, copied } from '@tillside/server/cluster/placement'
import { files, read } from './tidy/files.ts'

// Every statement of the server, and every statement in a database function, holds the rules that
// let one company grow past one machine. `exceptions.json` counts the statements of each file that
// do not hold a rule yet. The counts only shrink: PLACEMENT=write stores smaller ones.

/** The files that may read a whole company, by their work. */
const wholeFiles = {
  jobs: `coupon/events/expired jobs/expiry jobs/tiers member/names/keys metrics/work outbox/webhooks
    tier/promote verification/deliver`,
  retention: `database/operation outbox/forget staff/forget staff/throttle/sights
    verification/forget`,
  erasure: 'dossier/erase member/erase',
  invariants: `coupon/invariants jobs/answers jobs/audited jobs/invariants merge/invariants
    points/invariants transaction/invariants`,
  reports: 'activity/day-rows points/books/figures points/books/months',
  commands: `coupon/import dossier/import member/merged/keys merge/sides merge/unmerge outbox/log
    outbox/overview setup/companies setup/revision/refusals setup/revision/vanishing
    transaction/import/members transaction/import/staging transaction/receipt-key`,
  // A search of a clerk that names no member.
  searches: 'member/names/search',
  // A receipt that returns goods of a sale without a member: earlier ones can be of any member.
  receipts: 'transaction/returns/originals',
  // Another system reads all of a company's changes, page by page.
  feeds: 'integration/changed outbox/read',
}
/**
 * The files that may lock rows of a copied table: commands and logins. On Citus such a lock holds
 * the whole table, of all companies, so no other request takes one.
 */
const rareLocks = 'setup/revision/history staff/link staff/roster/move staff/session'
const exceptionsFile = 'tools/placement/exceptions.json'
const lockRule = 'no lock on a copied table'
const Counts = z.record(z.string(), z.record(z.string(), z.int()))
const Collected = z.array(
  z.object({
    file: z.string(),
    line: z.int(),
    text: z.string(),
    whole: z.boolean(),
    held: z.boolean(),
  }),
)

beforeAll(() => loadModule())

test('every table is copied, or has a column that places its rows', () => {
  const created = files
    .filter((file) => /^server\/migrations\/.*\.sql$/.test(file))
    .flatMap((file) =>
      Array.from(
        read(file).matchAll(/^create (?:unlogged )?table (\w+)/gm),
        ([, name = '']) => name,
      ),
    )
  expect([...copied, ...columnOf.keys()].toSorted()).toEqual([...new Set(created)].toSorted())
})

test('every statement holds the rules of placed tables', () => {
  const declared = collected()
  expect(declared.length).toBeGreaterThan(400)
  const found: Record<string, Record<string, number>> = {}
  const texts = declared.map(({ text }) => text)
  const functions = calledBy(texts, statementsOfFunctions())
  expect(functions.length).toBeGreaterThan(100)
  const inner = functions.map((one) => {
    return { file: one.file, text: one.text, whole: false, held: isHeld(one, functions) }
  })
  for (const { file, text, whole, held } of [...declared, ...inner]) {
    for (const rule of brokenRules(text, whole, held)) {
      if (rule === lockRule && fromNames(rareLocks).includes(file)) continue
      const ofFile = (found[file] ??= {})
      ofFile[rule] = (ofFile[rule] ?? 0) + 1
    }
  }
  const known = Counts.parse(JSON.parse(read(exceptionsFile)))
  const grown = pairs(found).filter(({ file, rule, count }) => count > (known[file]?.[rule] ?? 0))
  expect(grown).toEqual([])
  if (process.env['PLACEMENT'] === 'write') {
    const sorted = Object.fromEntries(
      Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    writeFileSync(exceptionsFile, `${JSON.stringify(sorted, null, 2)}\n`)
  } else expect(found).toEqual(known)
  // Loading all modules takes seconds on a busy machine.
}, 60_000)

test('only work of these kinds reads a whole company', () => {
  const allowed = Object.values(wholeFiles).flatMap(fromNames)
  const declaring = collected().flatMap(({ file, whole }) => (whole ? [file] : []))
  expect([...new Set(declaring)].toSorted()).toEqual(allowed.toSorted())
}, 60_000)

test('only commands and logins lock rows of a copied table', () => {
  const locking = collected().filter(({ text }) => brokenRules(text).includes(lockRule))
  const found = new Set(locking.map(({ file }) => file))
  expect(fromNames(rareLocks).filter((file) => !found.has(file))).toEqual([])
}, 60_000)

test('a function with tables is called by a statement without tables', () => {
  const declared = collected()
  const texts = declared.map(({ text }) => text)
  const functions = calledBy(texts, statementsOfFunctions())
  expect(callsBesideTables([...declared, ...functions], functions)).toEqual([])
  const joined = `select 1 from point_entry e left join bought_by($1, $2, $3, 'gift') b on true`
  expect(callsBesideTables([{ text: joined }], functions)).toHaveLength(1)
}, 60_000)

/** Their writes compare what they lock. */
const comparing = new Set(['take_gifts', 'undo_redemptions', 'void_bought', 'move_rows'])

/** Whether a function needs no write before a lock, or has one that finds no row of that table. */
function isHeld({ name, text }: Inner, functions: readonly Inner[]): boolean {
  if (atOnce.includes(name) || comparing.has(name)) return true
  const [, table = ''] = /\bfrom (\w+)/i.exec(text) ?? []
  const own = functions.filter((one) => one.name === name)
  const before = own.slice(
    0,
    own.findIndex((one) => one.text === text),
  )
  const write = new RegExp(`^update ${table} .*company_id <> company_id`, 'is')
  return before.some((one) => write.test(one.text.trim()))
}

function fromNames(names: string): string[] {
  return names.split(/\s+/).map((name) => `server/src/${name}.ts`)
}

test('nothing relies on a lock or a message that works only within one server', () => {
  const local =
    /pg_(try_)?advisory|['`](un)?listen\s+\w+['`]|\bpg_notify\(|\bnextval\b|\block table\b/i
  const found = files
    .filter((file) => /^server\/src\/(?!testing\/).*(?<!\.test)\.ts$/.test(file))
    .filter((file) => local.test(read(file)))
  // Migrations and distributions run on one node.
  const onOne = ['server/src/cluster/distribute.ts', 'server/src/database/migrate.ts']
  expect(found).toEqual(onOne)
})

/** All statements that the server declares. They are noted in a process of its own. */
function collected(): z.infer<typeof Collected> {
  statements ??= collect()
  return statements
}
let statements: z.infer<typeof Collected> | undefined

function collect(): z.infer<typeof Collected> {
  const root = join(import.meta.dirname, '..')
  const output = join(mkdtempSync(join(tmpdir(), 'tillside-statements-')), 'statements.json')
  const node = join(root, 'node_modules/node/bin/node')
  execFileSync(node, ['tools/placement/collect.mjs', output], { cwd: root })
  try {
    return Collected.parse(JSON.parse(readFileSync(output, 'utf8')))
  } finally {
    rmSync(dirname(output), { recursive: true })
  }
}

function pairs(counts: z.infer<typeof Counts>) {
  return Object.entries(counts).flatMap(([file, rules]) =>
    Object.entries(rules).map(([rule, count]) => ({ file, rule, count })),
  )
}
