import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { expect, inject, test } from 'vitest'
import { earlierSchema } from '../testing/earlier/schema.ts'

// The release before wrote redemptions for sales, and merges, and goes on while both run.
const insertSale = `insert into paid_sale (company_id, kind, reference)
  values ($1, 'invoice', $2) on conflict do nothing`
const insertPaid = `insert into sale_redemption
    (company_id, member_id, entry_id, kind, reference, points)
  values ($1, $2, $3, 'invoice', $4, 5)`
const insertEntry = `insert into point_entry
    (company_id, member_id, entry_id, seq, type, points, balance_after)
  values ($1, $2, $3, $4, 100000003, -5, -5 * $4)`
const insertMerge = `insert into member_merge (company_id, survivor_id, merged_id, tiers, answers)
  values ($1, $2, $3, '{}', '{}') returning merge_id`

test('sales name their payers, and accounts their merges', { timeout: 120_000 }, async () => {
  const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
  const db = await earlierSchema('sales_before', at)
  const superuser = new pg.Client({ connectionString: db.superuserUrl })
  await superuser.connect()
  const companies = [randomUUID(), randomUUID()]
  const members = companies.map(() => [randomUUID(), randomUUID()])
  try {
    await db.applyBefore('0111')
    const redeem = async (company: string, member: string, reference: string, seq: number) => {
      const entry = randomUUID()
      await superuser.query(insertEntry, [company, member, entry, seq])
      await superuser.query(insertSale, [company, reference])
      await superuser.query(insertPaid, [company, member, entry, reference])
    }
    const merges: string[] = []
    for (const [n, company] of companies.entries()) {
      const name = `shop${n}`
      await superuser.query('insert into company_address values ($1, $2)', [name, company])
      await superuser.query(
        `insert into company (company_id, identifier, time_zone, settings, logo)
         values ($1, $2, 'UTC', '{}', '')`,
        [company, name],
      )
      for (const [m, member] of (members[n] ?? []).entries()) {
        await superuser.query(
          `insert into member (company_id, member_id, member_code, uni_customer_no, card_number,
             first_name, last_name, registration_date)
           values ($1, $2, $3, '', '', '', '', '2026-01-01')`,
          [company, member, `M${m}`],
        )
        await superuser.query('insert into point_account (company_id, member_id) values ($1, $2)', [
          company,
          member,
        ])
        await redeem(company, member, 'both', 1)
        await redeem(company, member, `own ${m}`, 2)
      }
      const { rows } = await superuser.query(insertMerge, [company, ...(members[n] ?? [])])
      merges.push(rows[0].merge_id)
    }
    await db.applyBefore('0116')
    for (const [n, company] of companies.entries()) {
      const [one = '', other = ''] = members[n] ?? []
      await redeem(company, one, 'new', 3)
      await redeem(company, other, 'own 0', 3)
      const sales = await superuser.query(
        'select reference, payers from paid_sale where company_id = $1 order by reference',
        [company],
      )
      expect(
        Object.fromEntries(sales.rows.map((row) => [row.reference, row.payers.toSorted()])),
      ).toEqual({
        both: [one, other].toSorted(),
        new: [one],
        'own 0': [one, other].toSorted(),
        'own 1': [other],
      })
      const readMerges = 'select merges from point_account where company_id = $1 and member_id = $2'
      const later = await superuser.query(insertMerge, [company, other, one])
      expect((await superuser.query(readMerges, [company, one])).rows).toEqual([
        { merges: [merges[n]] },
      ])
      expect((await superuser.query(readMerges, [company, other])).rows).toEqual([
        { merges: [later.rows[0].merge_id] },
      ])
    }
    await db.migrate()
  } finally {
    await superuser.end()
    await db.drop()
  }
})
