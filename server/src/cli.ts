import { Command } from 'commander'
import { jsonCommand, print, withDatabase } from './kit/command.ts'
import { registerMembers } from './member/commands.ts'
import { registerCompanies } from './setup/companies.ts'
import { registerPermissions } from './setup/permissions.ts'
import { registerStores } from './setup/stores.ts'
import { registerStaff } from './staff/commands.ts'

const program = new Command('tillside')
  .description(
    'Tillside at the command line. It works on DATABASE_URL, or on the database in DATA_DIR.',
  )
  .showHelpAfterError('(add --help for what is possible)')

registerCompanies(program)
registerStores(program)
registerStaff(program)
registerPermissions(program)
registerMembers(program)

const database = program.command('database').description('the database itself')
jsonCommand(database, 'url', "print the owner's address, for psql and other tools").action(
  async ({ json }: { json?: boolean }) => {
    const url = await withDatabase(async ({ ownerUrl }) => ownerUrl)
    print(json, { url }, [url])
  },
)

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
