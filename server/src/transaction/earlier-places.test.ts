import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { expect, inject, test } from 'vitest'
import { waitUntil } from '../process/wait.ts'
import { oldInserts } from '../testing/earlier/receipt.ts'
import { earlierSchema } from '../testing/earlier/schema.ts'

/** A company with a member who has a sale and takes back a sale without a member. */
async function seed(client: pg.Client, identifier: string) {
  const [company, member] = [randomUUID(), randomUUID()]
  const [back, free] = [randomUUID(), randomUUID()]
  await client.query(`select set_config('app.company_id', $1, false)`, [company])
  await client.query('insert into company_address (identifier, company_id) values ($1, $2)', [
    identifier,
    company,
  ])
  await client.query(
    `insert into company (company_id, identifier, time_zone, settings, logo)
     values ($1, $2, 'UTC', '{}', '')`,
    [company, identifier],
  )
  await client.query(
    `insert into member (company_id, member_id, member_code, uni_customer_no, card_number,
       first_name, last_name, registration_date)
     values ($1, $2, 'M1', '', '', '', '', '2026-01-01')`,
    [company, member],
  )
  const receipts = [
    [back, member],
    [free, null],
  ]
  for (const [id, of] of receipts) {
    await client.query(oldInserts.receipt, [company, id, of])
    await client.query(oldInserts.item, [company, id])
    await client.query(oldInserts.coupon, [company, id])
  }
  await client.query(oldInserts.return, [company, back, free])
  return { company, member, back, free }
}

const many = `insert into transaction (company_id, transaction_id, invoice_number, source,
    member_id, status, invoice_type, occurred_at, total_amount, order_discount, net_spend,
    item_count, content_hash)
  select $1, gen_random_uuid(), n, 1, $2, 'completed', 'sale', now(), 1, 0, 1, 1, ''
  from generate_series(1, 20000) n`
const countEmpty = `select count(*)::int as count from transaction where place is null`
const wrong = `select 'transaction' from transaction
    where place is distinct from coalesce(member_id, transaction_id)
  union all select 'transaction_item' from transaction_item i
    join transaction t using (company_id, transaction_id) where i.place is distinct from t.place
  union all select 'transaction_coupon' from transaction_coupon c
    join transaction t using (company_id, transaction_id) where c.place is distinct from t.place
  union all select 'transaction_return' from transaction_return r join transaction t
    on t.company_id = r.company_id and t.transaction_id = r.original_id
    where r.place is distinct from t.place
  union all select 'receipt_key' from transaction t
    left join receipt_key k using (company_id, invoice_number, source)
    where (k.place, k.transaction_id, k.content_hash)
      is distinct from (t.place, t.transaction_id, t.content_hash)`

test('existing receipts are placed, also after an interruption', { timeout: 240_000 }, async () => {
  const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
  const db = await earlierSchema('receipts_before', at)
  const superuser = new pg.Client({ connectionString: db.superuserUrl })
  await superuser.connect()
  const count = async () => Number((await superuser.query(countEmpty)).rows[0]?.['count'])
  try {
    await db.applyBefore('0083')
    const other = await seed(db.client, 'one')
    const own = await seed(db.client, 'two')
    await db.client.query(many, [own.company, own.member])
    // In the last range of blocks.
    const last = randomUUID()
    await db.client.query(oldInserts.receipt, [own.company, last, null])
    await db.applyBefore('0084')
    expect(await count()).toBe(20_005)

    await superuser.query('begin')
    await superuser.query('select from transaction where transaction_id = $1 for update', [last])
    const interrupted = db.migrate()
    const blocked = `select pg_cancel_backend(pid) from pg_stat_activity
      where datname = 'receipts_before' and wait_event_type = 'Lock' and query like 'call %'`
    // Not in the open transaction, which sees the activity of its first look.
    expect(await waitUntil(async () => (await db.client.query(blocked)).rowCount === 1)).toBe(true)
    await expect(interrupted).rejects.toThrow('canceling statement')
    await superuser.query('rollback')
    const left = await count()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(15_000)

    // The release before adds a receipt, and changes one that has no place yet.
    const added = randomUUID()
    await db.client.query(oldInserts.receipt, [own.company, added, own.member])
    await db.client.query(oldInserts.item, [own.company, added])
    const change = 'update transaction set points_earned = 1 where transaction_id = $1'
    expect((await db.client.query(change, [last])).rowCount).toBe(1)
    expect(await count()).toBe(left - 1)

    await db.migrate()
    expect(await count()).toBe(0)
    expect((await superuser.query(wrong)).rows).toEqual([])
    for (const { back, free } of [other, own]) {
      const taken = 'select place from transaction_return where transaction_id = $1'
      expect((await superuser.query(taken, [back])).rows).toEqual([{ place: free }])
    }
    const nullable = `select attrelid::regclass::text as table from pg_attribute
      where attname = 'place' and not attnotnull and attrelid::regclass::text ~ '^transaction'`
    expect((await superuser.query(nullable)).rows).toEqual([])
  } finally {
    await superuser.end()
    await db.drop()
  }
})

const insert = `select insert_receipt($1, $2, $3, 1, $4, null, null, 'completed', 'sale', now(),
  1, 0, 1, 0, '', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}') as inserted`

test('receipts that are recorded and moved during the upgrade have their keys', async () => {
  const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
  const db = await earlierSchema('receipts_meanwhile', at)
  const superuser = new pg.Client({ connectionString: db.superuserUrl })
  await superuser.connect()
  const record = async (company: string, invoice: string, member: string | null) =>
    (await db.client.query(insert, [company, randomUUID(), invoice, member])).rows
  try {
    await db.applyBefore('0083')
    const { company, member, free } = await seed(db.client, 'one')
    // A key can be missing until 0101 has run.
    await db.applyBefore('0101')
    expect(await record(company, 'new', null)).toEqual([{ inserted: true }])
    expect(await record(company, 'new', null)).toEqual([{ inserted: false }])
    expect(await record(company, free, null)).toEqual([{ inserted: false }])
    const move =
      'update transaction set member_id = $2 where company_id = $1 and invoice_number = $3'
    await db.client.query(move, [company, member, 'new'])
    await db.client.query(move, [company, member, free])
    expect((await superuser.query('select from receipt_key')).rowCount).toBe(2)
    await db.applyBefore('0102')
    expect((await superuser.query(wrong)).rows).toEqual([])
    await db.migrate()
    expect(await record(company, 'newest', member)).toEqual([{ inserted: true }])
    expect(await record(company, 'newest', member)).toEqual([{ inserted: false }])
    expect((await superuser.query(wrong)).rows).toEqual([])
    expect((await superuser.query('select from receipt_key')).rowCount).toBe(4)
  } finally {
    await superuser.end()
    await db.drop()
  }
})

test('a receipt that is committed only while keys are made has one', async () => {
  const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
  const db = await earlierSchema('receipts_open', at)
  const superuser = new pg.Client({ connectionString: db.superuserUrl })
  await superuser.connect()
  try {
    await db.applyBefore('0100')
    const { company } = await seed(db.client, 'one')
    await superuser.query('begin')
    await superuser.query(oldInserts.receipt, [company, randomUUID(), null])
    let isOver = false
    const migrated = db.migrate().finally(() => (isOver = true))
    const waits = `select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = 'receipts_open' and not l.granted`
    const isWaiting = async () => isOver || (await db.client.query(waits)).rowCount === 1
    expect(await waitUntil(isWaiting)).toBe(true)
    await superuser.query('commit')
    await migrated
    expect((await superuser.query(wrong)).rows).toEqual([])
  } finally {
    await superuser.end()
    await db.drop()
  }
})
