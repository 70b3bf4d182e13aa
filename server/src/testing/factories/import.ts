import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../../process/config.ts'
import { statement } from '../../database/database.ts'
import { importTransactions, type ImportSummary } from '../../transaction/import/import.ts'
import { type Mapping, readMapping } from '../../transaction/import/mapping.ts'
import type { Rejected } from '../../transaction/import/staging.ts'
import type { TestCompany } from './company.ts'

export const retailMapping = join(projectRoot, 'companies/mappings/online-retail.yaml')

/** Writes a CSV file with the retail data set's columns; it is removed after the current test. */
export async function retailFile(rows: readonly string[]): Promise<string> {
  const header = 'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country'
  const folder = await mkdtemp(join(tmpdir(), 'tillside-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'rows.csv')
  await writeFile(file, `${[header, ...rows].join('\n')}\n`)
  return file
}

/** Imports a file as the command does. */
export async function importFile(
  { database, identifier }: Pick<TestCompany, 'database' | 'identifier'>,
  file: string,
  changes: Partial<Mapping> = {},
): Promise<{ summary: ImportSummary; rejected: Rejected[] }> {
  const rejected: Rejected[] = []
  const mapping = { ...(await readMapping(retailMapping)), ...changes }
  const summary = await importTransactions(database, identifier, file, mapping, {
    reject: async (row) => void rejected.push(row),
    progress: () => {},
  })
  return { summary, rejected }
}

const readOutcome = statement(
  `select member_code, coalesce(a.balance, 0)::bigint as balance, a.entries, mt.tier_code,
     mt.start_date, count(t.transaction_id)::int as receipts,
     coalesce(sum(t.net_spend), 0.00) as spent,
     coalesce(sum(t.points_earned), 0)::bigint as points
   from member m
   join point_account a using (company_id, member_id)
   join member_tier mt using (company_id, member_id)
   left join transaction t on t.company_id = m.company_id and t.place = m.member_id
     and t.member_id = m.member_id
   where m.company_id = $1
   group by member_code, a.balance, a.entries, mt.tier_code, mt.start_date
   order by member_code`,
  z.object({
    member_code: z.string(),
    balance: z.int(),
    entries: z.int(),
    tier_code: z.string(),
    start_date: z.string(),
    receipts: z.int(),
    spent: z.string(),
    points: z.int(),
  }),
)

/** The balance, tier and receipts of each member, without ids, which differ between imports. */
export function outcomeOf({ database, id }: Pick<TestCompany, 'database' | 'id'>) {
  return database.transaction(id, (tx) => tx.all(readOutcome, [id]))
}
