import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { columnOf, copied, groupOf } from './placement.ts'

// What Citus requires of the schema, and what `tillside database distribute` changes for it.

const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(() => owner.connect())
afterAll(() => owner.end())

const Index = z.object({ table: z.string(), index: z.string(), columns: z.array(z.string()) })
const Reference = z.object({ from: z.string(), to: z.string(), columns: z.array(z.string()) })
const Column = z.object({ table: z.string(), column: z.string(), nullable: z.boolean() })
const ours = `c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migration'`

async function read<T>(sql: string, row: z.ZodMiniType<T>): Promise<T[]> {
  const { rows } = await owner.query(sql)
  return rows.map((found) => row.parse(found))
}

async function uniqueIndexes(): Promise<z.infer<typeof Index>[]> {
  const found = await read(
    `select c.relname as table, i.relname as index,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any (x.indkey)) as columns
     from pg_index x join pg_class c on c.oid = x.indrelid
       join pg_class i on i.oid = x.indexrelid
     where ${ours} and (x.indisunique or x.indisexclusion)`,
    Index,
  )
  expect(found.length).toBeGreaterThan(60)
  return found
}

const referencesOfTables = () =>
  read(
    `select c.relname as from, f.confrelid::regclass::text as to,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any (f.conkey)) as columns
     from pg_constraint f join pg_class c on c.oid = f.conrelid
     where f.contype = 'f' and ${ours}`,
    Reference,
  )

/** The directory of companies: rows that belong to no company, or are one. */
const isDirectory = (table: string) => ['company_address', 'company'].includes(table)

test('every row belongs to a company, except in the directory of companies', async () => {
  const tables = await read(
    `select c.relname as table, coalesce(a.attname, '') as column,
       not coalesce(a.attnotnull, false) as nullable
     from pg_class c
       left join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where ${ours} and c.relkind in ('r', 'p')`,
    Column,
  )
  expect(tables.length).toBeGreaterThan(60)
  const others = tables.filter(({ table }) => !isDirectory(table))
  expect(others.filter(({ column, nullable }) => column === '' || nullable)).toEqual([])
})

test('every key contains the company', async () => {
  const indexes = await uniqueIndexes()
  expect(
    indexes.filter(({ table, columns }) => !isDirectory(table) && !columns.includes('company_id')),
  ).toEqual([])
})

test('every foreign key contains the company', async () => {
  const found = await referencesOfTables()
  expect(found.length).toBeGreaterThan(30)
  expect(
    found.filter(({ to, columns }) => !isDirectory(to) && !columns.includes('company_id')),
  ).toEqual([])
  expect(found.filter(({ from, to }) => isDirectory(from) && !isDirectory(to))).toEqual([])
})

test('no key is counted by a sequence, which each node would count for itself', async () => {
  const found = await read(
    `select c.relname as table, '' as column, false as nullable from pg_class c
     where ${ours} and c.relkind = 'S'`,
    Column,
  )
  expect(found).toEqual([])
})

// `distribute` adds the column that places a row to these keys (`keys.ts`). Among all nodes of a
// company, `coupon_key` keeps the codes of coupons unique and `receipt_key` the numbers of
// receipts; the other keys are ids that the program makes,
// or have a row that is locked before.
const withoutColumn = [
  'audit_pkey',
  'coupon_pkey',
  'coupon_redemption_pkey',
  'one_live_redemption',
  'one_merge',
  'point_operation_pkey',
  'transaction_company_id_invoice_number_source_key',
  'transaction_coupon_pkey',
  'transaction_item_pkey',
  'transaction_pkey',
  'transaction_return_pkey',
]
/** `distribute` drops these; doctor compares the rows. */
const betweenNodes = ['member_key → member', 'member_merge → member']

test('the keys that get the column that places a row', async () => {
  const indexes = await uniqueIndexes()
  const missing = indexes
    .filter(({ table, columns }) => !columns.includes(columnOf.get(table) ?? 'company_id'))
    .filter(({ table }) => !copied.has(table))
    .map(({ index }) => index)
  expect(missing.toSorted()).toEqual(withoutColumn)
})

test('every column that places rows exists and is never null', async () => {
  const columns = await read(
    `select c.relname as table, a.attname as column, not a.attnotnull as nullable
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where ${ours} and c.relkind in ('r', 'p') and a.attnum > 0`,
    Column,
  )
  const open = [...columnOf]
    .filter(
      ([table, column]) =>
        !columns.some((one) => one.table === table && one.column === column && !one.nullable),
    )
    .map(([table, column]) => `${table}.${column}`)
  expect(open).toEqual([])
})

test('the foreign keys to tables whose rows are on another node', async () => {
  const found = await referencesOfTables()
  const apart = found
    .filter(({ from, to }) => !copied.has(to) && groupOf(from) !== groupOf(to))
    .map(({ from, to }) => `${from} → ${to}`)
  expect([...new Set(apart)].toSorted()).toEqual(betweenNodes)
})
