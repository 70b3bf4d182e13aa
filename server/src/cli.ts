import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { registerKeys } from './integration/commands.ts'
import { registerJobs } from './jobs/commands.ts'
import { backUp } from './embedded/archive.ts'
import { columns, jsonCommand, print, withDatabase } from './database/command.ts'
import { readConfig } from './process/config.ts'
import { restore } from './embedded/restore.ts'
import { registerMembers } from './dossier/commands.ts'
import { registerCompanies } from './setup/companies.ts'
import { registerCoupons } from './setup/coupons.ts'
import { registerPermissions } from './setup/permissions.ts'
import { registerPoints } from './setup/points.ts'
import { registerStores } from './setup/stores.ts'
import { registerLinks, registerStaff } from './staff/commands.ts'
import { registerTransactions } from './transaction/commands.ts'

/**
 * Runs one command. What went wrong is told on stderr.
 * @param words what stands behind `tillside` on the command line
 * @returns the exit code, 0 or 1
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // The parser has told its own errors already; help that was asked for is none.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function createProgram(): Command {
  const program = new Command('tillside')
    .description(
      'Tillside at the command line. It works on DATABASE_URL, or on the database in DATA_DIR.',
    )
    .exitOverride()
  registerCompanies(program)
  registerStores(program)
  registerStaff(program)
  registerLinks(program)
  registerPermissions(program)
  registerMembers(program)
  registerCoupons(program)
  registerPoints(program)
  registerTransactions(program)
  registerKeys(program)
  registerJobs(program)
  registerDatabase(program)
  return program
}

function registerDatabase(program: Command): void {
  const database = program.command('database').description('the database itself')
  jsonCommand(database, 'url', "print the owner's address, for psql and other tools").action(
    async ({ json }: { json?: boolean }) => {
      const url = await withDatabase(async ({ ownerUrl }) => ownerUrl)
      print(json, { url }, [url])
    },
  )
  jsonCommand(database, 'backup', 'copy the files of the embedded PostgreSQL into ARCHIVE_DIR')
    .option('--keep <copies>', 'how many copies stay', '7')
    .action(async ({ json, keep }: { json?: boolean; keep: string }) => {
      if (!/^[1-9]\d{0,3}$/.test(keep)) throw new Error('--keep is a number from 1')
      const { dataDir, archiveDir } = archivedConfig()
      const folder = await withDatabase(({ ownerUrl }) =>
        backUp(ownerUrl, dataDir, archiveDir, Number(keep)),
      )
      print(json, { folder }, [folder])
    })
  jsonCommand(database, 'restore <folder>', 'make the archived database anew in an empty folder')
    .option('--to <moment>', 'as it was then, such as 2026-11-21T09:30:00+08:00')
    .action(async (folder: string, { json, to }: { json?: boolean; to?: string }) => {
      const moment = to === undefined ? null : new Date(to)
      if (Number.isNaN(moment?.getTime())) throw new Error(`--to ${to} is no moment`)
      const restored = await restore(archivedConfig().archiveDir, resolve(folder), moment)
      const rows = Object.entries(restored.rows).map(([table, count]) => [table, String(count)])
      const last = restored.lastChange ?? 'none since the copy'
      print(json, restored, [...columns(rows), `The last change in it: ${last}`])
    })
}

function archivedConfig(): { dataDir: string; archiveDir: string } {
  const { dataDir, archiveDir } = readConfig(process.env)
  if (archiveDir !== null) return { dataDir, archiveDir }
  throw new Error(
    'ARCHIVE_DIR names no archive; for a PostgreSQL of your own see docs/operations.md',
  )
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2))
