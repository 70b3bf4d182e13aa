import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { placement } from '../testing/nodes/node-layout.ts'
import { projectRoot } from '../process/config.ts'

// The rules that let a company grow past one machine (docs/growing.md). Each exception is listed
// here with its reason.

// Unique without the company: read before the company is known, and there are few rows.
const withoutCompany: Record<string, string> = {
  company_address_pkey: 'an address names its company; copied to every node',
  company_identifier_key: 'the same name, held by the foreign key to the address',
}

// Unique without the member. The reason why they are unique among nodes that each hold only their
// own rows:
const withoutMember: Record<string, string> = {
  member_key_pkey: 'the directory, by which members are found',
  transaction_company_id_invoice_number_source_key: 'the directory: a till may correct the member',
  transaction_pkey: 'an id of its own (UUID version 7)',
  audit_pkey: 'an id of its own; not every change is about a member',
  coupon_redemption_pkey: 'an id of its own',
  coupon_pkey: '55 random bits; every call that changes a coupon names its member too',
  one_live_redemption: 'both rows are with the coupon, which is with its member',
  point_operation_pkey: 'the caller’s own idempotency key, repeated for the same member',
}

// On a member's node without a member_id: the row that each follows, or the reason why each node
// has its own:
const followers: Record<string, string> = {
  operation: 'the request, which runs where its member is',
  given_today: 'the act; each node counts, so several nodes allow several times as much',
  paid_sale: 'the redemption; each node has its own lock of a sale',
  transaction_item: 'transaction',
  transaction_coupon: 'transaction',
  transaction_return: 'transaction',
  contact_code: 'the contact, which is placed as its member would be',
  contact_proof: 'the contact',
  message: 'the change that it reports',
  code_allowance: 'the contact; each node counts, so several nodes allow several times as much',
  job: 'each node does its own',
  point_report: 'each node reports its own members',
  tier_promotion: 'each node promotes its own members',
  member_merge: 'its two members, who must be on one node',
  member_merge_row: 'member_merge',
  member_name_walk: 'each node folds the names of its own members',
  event_position: 'each node numbers the events of its own members',
  coupon_expiry_walk: 'each node sends the events of its own coupons',
  import_row: 'each node has its own part of a file',
  import_invoice: 'the same',
}

// A trigger must not read or write a row that another node may have.
const localTriggers: Record<string, string> = {
  keep_practice: 'refuses a change of its own row',
  drop_name_keys: 'deletes rows of the same member',
  company_epoch: 'changes the epoch, which is written where these tables are',
  store_epoch: 'the same',
  staff_group_epoch: 'the same',
  staff_epoch: 'the same',
  api_key_epoch: 'the same',
  coupon_definition_version: 'changes its own row, and is copied with it',
}

const Unique = z.object({
  table: z.string(),
  index: z.string(),
  columns: z.array(z.string()),
  personal: z.boolean(),
})
const Reference = z.object({
  from: z.string(),
  to: z.string(),
  columns: z.array(z.string()),
})

const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(() => owner.connect())
afterAll(() => owner.end())

async function read<T>(sql: string, row: z.ZodMiniType<T>): Promise<T[]> {
  const { rows } = await owner.query(sql)
  return rows.map((found) => row.parse(found))
}

const Named = z.object({ name: z.string() })
const ours = `c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migration'`

describe('the schema', () => {
  test('places every table', async () => {
    const found = await read(
      `select c.relname as name from pg_class c where ${ours} and c.relkind in ('r', 'p')`,
      Named,
    )
    expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(placement).sort())
  })

  test('is unique within a company, and within a member where there is one', async () => {
    const indexes = await read(
      `select c.relname as table, i.relname as index,
         array(select a.attname::text from pg_attribute a
           where a.attrelid = c.oid and a.attnum = any (x.indkey)) as columns,
         exists (select from pg_attribute a
           where a.attrelid = c.oid and a.attname = 'member_id') as personal
       from pg_index x join pg_class c on c.oid = x.indrelid
         join pg_class i on i.oid = x.indexrelid
       where ${ours} and (x.indisunique or x.indisexclusion)`,
      Unique,
    )
    expect(indexes.length).toBeGreaterThan(40)
    const without = (column: string, of: typeof indexes) =>
      of
        .filter(({ columns }) => !columns.includes(column))
        .map(({ index }) => index)
        .sort()
    expect(without('company_id', indexes)).toEqual(Object.keys(withoutCompany).sort())
    const personal = indexes.filter((index) => index.personal)
    expect(without('member_id', personal)).toEqual(Object.keys(withoutMember).sort())
    const plain = indexes.filter(({ table, personal: has }) => !has && placement[table] === 'home')
    expect(new Set(plain.map(({ table }) => table))).toEqual(new Set(Object.keys(followers)))
  })

  test('refers only to the same company, and from copied tables only to copied ones', async () => {
    const references = await read(
      `select c.relname as from, f.conrelid::regclass::text, f.confrelid::regclass::text as to,
         array(select a.attname::text from pg_attribute a
           where a.attrelid = c.oid and a.attnum = any (f.conkey)) as columns
       from pg_constraint f join pg_class c on c.oid = f.conrelid
       where f.contype = 'f' and ${ours}`,
      Reference,
    )
    expect(references.length).toBeGreaterThan(30)
    const elsewhere = references.filter(({ columns }) => !columns.includes('company_id'))
    expect(elsewhere.map(({ from, to }) => `${from} ${to}`)).toEqual(['company company_address'])
    const upwards = references.filter(
      ({ from, to }) => placement[to] !== 'copied' && placement[to] !== placement[from],
    )
    expect(upwards).toEqual([])
  })

  test('has no global counter: no sequence, no identity, and only local triggers', async () => {
    const counters = await read(
      `select c.relname as name from pg_class c where ${ours} and c.relkind = 'S'
       union all select attname from pg_attribute where attidentity <> ''
       union all select tgname from pg_trigger where not tgisinternal`,
      Named,
    )
    expect(counters.map(({ name }) => name).sort()).toEqual(Object.keys(localTriggers).sort())
  })
})

describe('the program', () => {
  const folder = join(projectRoot, 'server/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

  test('relies on no lock or message that works only within one server', () => {
    const local =
      /pg_(try_)?advisory|['`](un)?listen\s+\w+['`]|\bpg_notify\(|\bnextval\b|\block table\b/i
    const found = files.filter(({ text }) => local.test(text)).map(({ file }) => file)
    // Migrations run on each node separately.
    expect(found).toEqual(['database/migrate.ts'])
  })

  test('names the company in every statement', () => {
    const statements = files.flatMap(({ file, text }) =>
      [
        ...text.matchAll(
          /\b(?:s|memberS)tatement\(\s*(?:\(\s*member,?\s*\) =>\s*)?(?:`([^`]*)`|'([^'\n]*)')/g,
        ),
      ].map(([, long, short = '']) => ({ file, sql: long ?? short })),
    )
    expect(statements.length).toBeGreaterThan(150)
    const tables = new RegExp(
      `\\b(?:from|join|into|update)\\s+(?:${Object.keys(placement).join('|')})\\b`,
    )
    const nameless = statements.filter(({ sql }) => tables.test(sql) && !/company_id/.test(sql))
    expect(nameless).toEqual([])
  })
})
