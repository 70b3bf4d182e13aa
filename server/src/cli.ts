import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { registerDistribute } from './cluster/commands.ts'
import { registerKeys } from './integration/commands.ts'
import { registerJobs } from './jobs/commands.ts'
import { backUp } from './embedded/archive.ts'
import {
  columns,
  jsonCommand,
  NoDatabase,
  print,
  printDatabase,
  withDatabase,
  withOwnerUrl,
} from './database/command.ts'
import { isLockTimeout } from './database/database.ts'
import { readConfig } from './process/config.ts'
import { restore } from './embedded/restore.ts'
import { registerMembers } from './dossier/commands.ts'
import { registerPractice } from './practice/commands.ts'
import { registerCompanies } from './setup/companies.ts'
import { registerCoupons } from './setup/coupons.ts'
import { registerPermissions } from './setup/permissions.ts'
import { registerPoints } from './setup/points.ts'
import { registerStores } from './setup/stores.ts'
import { registerWebhooks } from './setup/webhook/commands.ts'
import { registerLinks, registerStaff } from './staff/commands.ts'
import { registerTransactions } from './transaction/commands.ts'

/**
 * Runs one command. Errors are printed on stderr.
 * @param words the command line after `tillside`
 * @returns the exit code: 0, 1 for an error, 2 when there is no database or an empty one
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    // The parser has printed its own errors already; `--help` is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
    process.stderr.write(`${explained(error)}\n`)
    return error instanceof NoDatabase ? 2 : 1
  }
}

function explained(error: unknown): string {
  if (isLockTimeout(error)) {
    return 'another process is changing the same rows; run the command again when it is done'
  }
  return error instanceof Error ? error.message : String(error)
}

/** The commands with their options, also for tests of the pages. */
export function createProgram(): Command {
  const program = new Command('tillside')
    .description(
      'Administer Tillside. Uses the database of DATABASE_URL, or the packaged one in DATA_DIR. ' +
        'Exit codes: 1 for an error, 2 for no database or an empty one.',
    )
    .exitOverride()
  registerPractice(registerCompanies(program))
  registerStores(program)
  registerStaff(program)
  registerLinks(program)
  registerPermissions(program)
  registerMembers(program)
  registerCoupons(program)
  registerPoints(program)
  registerTransactions(program)
  registerKeys(program)
  registerWebhooks(program)
  registerJobs(program)
  registerDatabase(program)
  return program
}

function registerDatabase(program: Command): void {
  const database = program.command('database').description('Migrate, back up and restore')
  jsonCommand(database, 'url', "Print the owner's connection URL, for psql and other tools").action(
    async ({ json }: { json?: boolean }) => {
      const url = await withOwnerUrl(async (ownerUrl) => ownerUrl)
      print(json, { url }, [url])
    },
  )
  database
    .command('migrate')
    .description('Migrate the schema to this version; a starting server does the same')
    .action(async () => {
      await withDatabase(async () => {}, { mayBeEmpty: true, migrates: true })
    })
  registerDistribute(database)
  jsonCommand(database, 'backup', 'Back up the embedded PostgreSQL to ARCHIVE_DIR')
    .option('--keep <copies>', 'number of backups to keep', '7')
    .action(async ({ json, keep }: { json?: boolean; keep: string }) => {
      if (!/^[1-9]\d{0,3}$/.test(keep)) throw new Error('--keep must be a number from 1 to 9999')
      const { dataDir, archiveDir } = archivedConfig()
      const folder = await withOwnerUrl((ownerUrl) =>
        backUp(ownerUrl, dataDir, archiveDir, Number(keep)),
      )
      print(json, { folder }, [folder])
    })
  jsonCommand(database, 'restore <folder>', 'Restore the archived database to an empty folder')
    .option('--to <time>', 'state to restore, such as 2026-11-21T09:30:00+08:00 (default: latest)')
    .action(async (folder: string, { json, to }: { json?: boolean; to?: string }) => {
      const moment = to === undefined ? null : new Date(to)
      if (Number.isNaN(moment?.getTime())) throw new Error(`--to ${to} is not a valid time`)
      const { archiveDir, dataDir } = archivedConfig()
      printDatabase(`a new one in ${resolve(folder)}, from the archive ${archiveDir}`)
      const restored = await restore(archiveDir, dataDir, resolve(folder), moment)
      const rows = Object.entries(restored.rows).map(([table, count]) => [table, String(count)])
      const last = restored.lastChange ?? 'none since the backup'
      print(json, restored, [...columns(rows), `Last change: ${last}`])
    })
}

function archivedConfig(): { dataDir: string; archiveDir: string } {
  const { dataDir, archiveDir } = readConfig(process.env)
  if (archiveDir !== null) return { dataDir, archiveDir }
  throw new Error('ARCHIVE_DIR is not set; for a PostgreSQL of your own see docs/operations.md')
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2))
