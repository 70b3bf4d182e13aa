import * as z from 'zod/mini'
import { findCompany } from '../../company/find.ts'
import { findViolations } from '../../jobs/invariants.ts'
import { statement } from '../../database/database.ts'
import { readPointTotals } from '../../points/totals.ts'
import { readStanding } from '../../tier/standing.ts'
import type { TransactionInput } from '../../transaction/input.ts'
import { record } from '../../transaction/record.ts'
import { testCompany } from './company.ts'

const readEntries = statement(
  `select type - 100000000 as type, points, balance_after, expiry_date from point_entry
   where company_id = $1 and member_id = $2 order by seq`,
  z.object({
    type: z.int(),
    points: z.int(),
    balance_after: z.int(),
    expiry_date: z.nullable(z.string()),
  }),
)
const readTransactions = statement(
  `select invoice_number, points_earned, member_id, item_count from transaction
   where company_id = $1 order by occurred_at`,
  z.object({
    invoice_number: z.string(),
    points_earned: z.int(),
    member_id: z.nullable(z.string()),
    item_count: z.int(),
  }),
)

export type Shop = Awaited<ReturnType<typeof testShop>>

/** A company with a till, and functions that read the results of its receipts. */
export async function testShop(...of: Parameters<typeof testCompany>) {
  const company = await testCompany(...of)
  const found = await findCompany(company.database, company.identifier)
  if (found === null) throw new Error('no company')
  const { database } = company
  return {
    ...company,
    send: (memberId: string | null, input: TransactionInput) =>
      database.transaction(found.id, (tx) => record(tx, found, memberId, input)),
    entries: (memberId: string) =>
      database.transaction(found.id, async (tx) =>
        (await tx.all(readEntries, [found.id, memberId])).map((e) => [e.type, e.points]),
      ),
    totals: (memberId: string, today = '2026-03-10') =>
      database.transaction(found.id, (tx) => readPointTotals(tx, found.id, memberId, today)),
    standing: (memberId: string, today = '2026-03-10') =>
      database.transaction(found.id, (tx) =>
        readStanding(tx, found, memberId, today, found.settings, 'en-US'),
      ),
    receipts: () => database.transaction(found.id, (tx) => tx.all(readTransactions, [found.id])),
    /** The invariants that are broken, each with the row. */
    violations: () =>
      database.reading(found.id, async (tx) =>
        (await findViolations(tx, found.id)).map((v) => `${v.invariant}: ${v.found}`),
      ),
  }
}
