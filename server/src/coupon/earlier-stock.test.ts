import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as pg from 'pg'
import { expect, inject, test } from 'vitest'
import { earlierSchema } from '../testing/earlier/schema.ts'

// Issued coupons and gifts are counted outside of the definitions since migration 0104.

test(
  'the counts of before are taken over, and an issue that runs',
  { timeout: 120_000 },
  async () => {
    const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
    const db = await earlierSchema('migration_stock', at)
    const client = new pg.Client({ connectionString: db.superuserUrl })
    try {
      await client.connect()
      await db.applyBefore('0104')
      const company = randomUUID()
      await client.query(`insert into company_address values ('one', $1)`, [company])
      await client.query(
        `insert into company (company_id, identifier, time_zone, settings, logo)
       values ($1, 'one', 'UTC', '{}', '')`,
        [company],
      )
      await client.query(
        `insert into coupon_definition (company_id, coupon_id, names, kind, valid_days, stock,
           issued)
       values ($1, 'A', '{}', 'gift', 9, 20, 7), ($1, 'B', '{}', 'gift', 9, null, 8)`,
        [company],
      )
      await client.query(
        `insert into gift (company_id, gift_id, names, points, stock, issued)
       values ($1, 'A', '{}', 1, 20, 9)`,
        [company],
      )
      await client.query('begin')
      await client.query(`select from coupon_definition where coupon_id = 'A' for no key update`)
      let migrated = false
      const migrating = db.migrate().then(() => (migrated = true))
      // An order that was checked without the stock would otherwise exceed it.
      await setTimeout(1_500)
      expect(migrated).toBe(false)
      await client.query(`update coupon_definition set issued = issued + 1 where coupon_id = 'A'`)
      await client.query('commit')
      await migrating
      const { rows } = await client.query(
        'select kind, item_id, issued from stock order by kind, item_id',
      )
      expect(rows).toEqual([
        { kind: 'coupon', item_id: 'A', issued: 8 },
        { kind: 'coupon', item_id: 'B', issued: 8 },
        { kind: 'gift', item_id: 'A', issued: 9 },
      ])
    } finally {
      await client.end()
      await db.drop()
    }
  },
)
