import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { calledBy, statementsOfFunctions } from './placement/functions.ts'
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
  z.object({ file: z.string(), line: z.int(), text: z.string(), whole: z.boolean() }),
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
  const inner = functions.map(({ file, text }) => ({ file, text, whole: false }))
  for (const { file, text, whole } of [...declared, ...inner]) {
    for (const rule of brokenRules(text, whole)) {
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

function fromNames(names: string): string[] {
  return names.split(/\s+/).map((name) => `server/src/${name}.ts`)
}

test('nothing relies on a lock or a message that works only within one server', () => {
  const local =
    /pg_(try_)?advisory|['`](un)?listen\s+\w+['`]|\bpg_notify\(|\bnextval\b|\block table\b/i
  const found = files
    .filter((file) => /^server\/src\/(?!testing\/).*(?<!\.test)\.ts$/.test(file))
    .filter((file) => local.test(read(file)))
  // Migrations run on one node.
  expect(found).toEqual(['server/src/database/migrate.ts'])
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

test.each([
  [
    'each placed table has its company and its own column',
    'select 1 from coupon c where c.company_id = $1',
  ],
  [
    'each placed table has its company and its own column',
    `select 1 from coupon c left join point_lot l using (company_id, member_id)
     where c.company_id = $1 and c.member_id = $2`,
  ],
  [
    'first the key, then the member',
    `select 1 from member_key k join member m on m.company_id = $1 and m.member_id = k.member_id
     where k.company_id = $1 and k.value = $2`,
  ],
  ['a row is locked by its member', 'select 1 from coupon where company_id = $1 for update'],
  ['no lock on a copied table', 'select 1 from gift where company_id = $1 for update'],
  [
    'an insert has values, or selects from a table',
    `insert into coupon (company_id, member_id, coupon_code)
     select $1, $2, c from unnest($3::text[]) c`,
  ],
  [
    'an insert has values, or selects from a table',
    'insert into event_position (company_id) select $1 where $2 on conflict do nothing',
  ],
  [
    'a new row has a value as its place',
    'insert into coupon (company_id, member_id) values ($1, unnest($2::uuid[]))',
  ],
  [
    'a statement writes one table',
    `with used as (
       update coupon set used = true where company_id = $1 and member_id = $2 returning 1
     )
     insert into coupon_redemption (company_id, member_id) values ($1, $2)`,
  ],
  [
    'what is returned is immutable',
    'insert into member (company_id, member_id) values ($1, $2) returning now()',
  ],
  ['no ctid', 'delete from gift where ctid = any ($1)'],
  [
    'the member of a row never changes',
    'update coupon set member_id = $3 where company_id = $1 and member_id = $2',
  ],
  ['the company is set by `set local`', `select set_config('app.company_id', $1, true)`],
])('a statement that breaks a rule is found: %s', (rule, text) => {
  expect(brokenRules(text)).toContain(rule)
})

const wholeRule = 'tables of a whole company are joined by their own column'

test.each([
  ['has no company', 'select count(*) from coupon where member_id = $2'],
  ['deletes', 'delete from coupon where company_id = $1'],
  [
    'inserts',
    `insert into point_month_figures (company_id, entries)
     select $1, count(*) from point_entry where company_id = $1`,
  ],
  ['locks', 'select 1 from coupon where company_id = $1 for update'],
  [
    'joins by another column',
    `select 1 from coupon c join coupon_redemption r
       on r.company_id = $1 and r.coupon_code = c.coupon_code where c.company_id = $1`,
  ],
  [
    'joins the tables of two groups',
    `select 1 from member_key k join member m on m.company_id = $1 and m.member_id = k.member_id
     where k.company_id = $1`,
  ],
  [
    'joins the rows of two groups by the columns of both',
    `select 1 from coupon c join contact_proof p
       on p.company_id = $1 and p.reference_hash = c.member_id where c.company_id = $1`,
  ],
  [
    'unites the rows of two groups',
    `select coupon_code from coupon where company_id = $1
     union all select coupon_code from coupon_key where company_id = $1`,
  ],
  [
    'is correlated by another column',
    `select 1 from coupon c where c.company_id = $1 and not exists (
       select from coupon_redemption r where r.company_id = $1 and r.coupon_code = c.coupon_code)`,
  ],
  [
    'sums up for each row',
    `select m.member_id, l.points from member m cross join lateral (
       select sum(points) as points from point_lot l
       where l.company_id = $1 and l.member_id = m.member_id) l
     where m.company_id = $1`,
  ],
  [
    'joins with rows that do not have the column',
    `select 1 from coupon c join (
       select coupon_code from coupon_redemption where company_id = $1
     ) r using (coupon_code) where c.company_id = $1`,
  ],
])('a read of a whole company is found that %s', (_, text) => {
  expect(brokenRules(text, true)).toContain(wholeRule)
})

test.each([
  'select member_id from point_account where company_id = $1 order by member_id limit 1000',
  `select a.member_id from point_account a left join (
     select member_id, sum(remaining) as remaining from point_lot
     where company_id = $1 group by member_id
   ) l using (member_id) where a.company_id = $1 and a.balance <> coalesce(l.remaining, 0)`,
  `select o.event_id from outbox o join webhook w on w.company_id = $1
   where o.company_id = $1 and o.webhook_id = w.webhook_id and not exists (
     select from event v
     where v.company_id = $1 and v.member_id = o.member_id and v.seq = o.seq)`,
  `with entry as (select member_id, entry_id, points from point_entry where company_id = $1)
   select sum(e.points) from entry e
   join point_lot l on l.company_id = $1 and l.member_id = e.member_id and l.lot_id = e.entry_id`,
  `select prefix from (
     select left(coupon_code, 4) as prefix, count(*) as coupons from coupon
     where company_id = $1 group by 1
   ) c full join (
     select left(coupon_code, 4) as prefix, count(*) as coupons from coupon_key
     where company_id = $1 group by 1
   ) k using (prefix) where c.coupons is distinct from k.coupons`,
  `select revision, (select count(*) from member where company_id = $1) as members
   from company where company_id = $1`,
])('a read of a whole company passes: %s', (text) => {
  expect(brokenRules(text, true)).toEqual([])
})

test('a read of a whole company that is not declared as one is found', () => {
  const text = 'select count(*) from coupon where company_id = $1'
  expect(brokenRules(text)).toEqual(['each placed table has its company and its own column'])
})

test('a lock concerns the tables that it names', () => {
  const text = `select 1 from login_device d join staff s on s.company_id = $1
    where d.company_id = $1 and d.staff_id = $2 for update of`
  expect(brokenRules(`${text} d`)).toEqual([])
  expect(brokenRules(`${text} s`)).toEqual([lockRule])
})

test.each([
  'select 1 from coupon where company_id = $1 and member_id = $2::uuid for update',
  `select 1 from coupon c
     join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
     left join coupon_redemption r
       on r.company_id = $1 and r.member_id = $2 and r.coupon_code = c.coupon_code
   where c.company_id = $1 and c.member_id = $2`,
  'select member_id from member_key where company_id = $1 and kind = $2 and value = $3',
  `insert into coupon (company_id, member_id, coupon_code)
   select m.company_id, m.member_id, c from member m, unnest($3::text[]) c
   where m.company_id = $1 and m.member_id = $2`,
  `insert into coupon (company_id, member_id, coupon_code)
   values ($1, $2, unnest($3::text[])) on conflict do nothing`,
  'update coupon set used = true where company_id = p_company and member_id = p_member',
  'select names from gift where company_id = $1',
])('a statement that holds all rules passes: %s', (text) => {
  expect(brokenRules(text)).toEqual([])
})
