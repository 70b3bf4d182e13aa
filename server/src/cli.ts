import { Command, CommanderError } from 'commander'
import { registerKeys } from './integration/commands.ts'
import { registerJobs } from './jobs/commands.ts'
import { jsonCommand, print, withDatabase } from './kit/command.ts'
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
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2))
