import type { Command } from 'commander'
import * as z from 'zod/mini'
import { everyCompany, inCompany } from '../company/find.ts'
import { columns, jsonCommand, print, withDatabase } from '../database/command.ts'
import type { Database } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { exportCompany } from './export.ts'
import { writeNewFiles } from './revision/new-files.ts'
import { registerApply, registerRollback } from './revision/commands.ts'
import { registerRules } from './rules/commands.ts'
import { schemaText } from './schema.ts'

const readCounts = wholeCompany(
  `select revision, time_zone,
     (select count(*) from store where company_id = $1 and active)::int as stores,
     (select count(*) from staff where company_id = $1 and disabled_at is null)::int as staff,
     (select count(*) from member where company_id = $1)::int as members
   from company where company_id = $1`,
  z.object({
    revision: z.int(),
    time_zone: z.string(),
    stores: z.int(),
    staff: z.int(),
    members: z.int(),
  }),
)

/** `tillside company …`; returns the group for commands of other features. */
export function registerCompanies(program: Command): Command {
  const company = program
    .command('company')
    .description('Apply, roll back, list, export and explain companies')
  registerApply(company)
  registerRollback(company)
  registerRules(company)
  jsonCommand(company, 'list', 'List the companies').action(
    async ({ json }: { json?: boolean }) => {
      const rows = await withDatabase(({ database }) => listCompanies(database))
      const lines = rows.map((row) => Object.values(row).map(String))
      const head = ['IDENTIFIER', 'REVISION', 'TIME ZONE', 'STORES', 'STAFF', 'MEMBERS']
      print(json, rows, rows.length === 0 ? [] : columns([head, ...lines]))
    },
  )
  jsonCommand(company, 'export <company>', 'Print company.yaml, or write the whole folder')
    .option('--to <folder>', 'write company.yaml and the logo to this folder')
    .action(async (identifier: string, options: { to?: string; json?: boolean }) => {
      const { to, json } = options
      const exported = await inCompany(identifier, exportCompany)
      if (to !== undefined) {
        // An existing company.yaml may contain comments, so it is not overwritten.
        await writeNewFiles(to, { 'company.yaml': exported.yaml, 'logo.svg': exported.logo })
      }
      print(json, exported, [to === undefined ? exported.yaml.trimEnd() : `written to ${to}`])
    })
  company
    .command('schema')
    .description('Print the JSON Schema of company.yaml, for editors')
    .action(() => {
      process.stdout.write(schemaText())
    })
  return company
}

/**
 * Lists every company with its counts. Each is counted in its own transaction, one after another:
 * hundreds at once would wait too long for a connection.
 */
async function listCompanies(database: Database) {
  const listed = []
  for (const { identifier, id } of await everyCompany(database)) {
    const counted = await database.reading(id, (tx) => tx.one(readCounts, [id]))
    const { time_zone: timeZone, revision, stores, staff, members } = counted
    listed.push({ identifier, revision, timeZone, stores, staff, members })
  }
  return listed
}
