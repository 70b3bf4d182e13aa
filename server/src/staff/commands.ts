import type { Command } from 'commander'
import { inCompany } from '../company/find.ts'
import {
  actCommand,
  columns,
  jsonCommand,
  print,
  readSecretFromStdin,
} from '../database/command.ts'
import type { ActOptions } from '../process/author.ts'
import { readConfig } from '../process/config.ts'
import { addStaff, listStaff, setDisabled, setPassword } from './accounts.ts'
import { createLink } from './link.ts'
import { registerRoster } from './roster/commands.ts'
import { namesProblem } from './roster/names.ts'
import { hashAllowed, makePassword } from './roster/new-password.ts'

type PasswordOptions = ActOptions & { password?: string; passwordStdin?: boolean }
type AddOptions = PasswordOptions & {
  store: string
  group: string
  firstName: string
  lastName: string
}

/** `tillside staff …` */
export function registerStaff(program: Command): void {
  const staff = program.command('staff').description('Manage staff accounts')
  registerAdd(staff)
  registerPassword(staff)
  registerRoster(staff)
  for (const disabled of [true, false]) {
    const verb = disabled ? 'disable' : 'enable'
    const ends = disabled
      ? 'Disable an account and end its sessions and links'
      : 'Enable a disabled account'
    actCommand(staff, `${verb} <company> <account>`, ends).action(
      async (company: string, account: string, options: ActOptions) => {
        await inCompany(company, (tx, id) => setDisabled(tx, id, account, disabled), options)
        print(options.json, { company, account, disabled }, [
          `${account} of ${company} is ${verb}d`,
        ])
      },
    )
  }
  jsonCommand(staff, 'list <company>', 'List the accounts').action(
    async (company: string, { json }: { json?: boolean }) => {
      const rows = await inCompany(company, listStaff)
      const answer = rows.map((row) => ({
        account: row.account,
        firstName: row.first_name,
        lastName: row.last_name,
        group: row.group_code,
        store: row.store_code,
        disabled: row.disabled,
      }))
      print(
        json,
        answer,
        columns(
          answer.map((a) => [
            a.account,
            `${a.firstName} ${a.lastName}`,
            a.group,
            a.store,
            a.disabled ? 'disabled' : '',
          ]),
        ),
      )
    },
  )
}

type LinkOptions = ActOptions & { staff: string; company: string; minutes: string }

/** `tillside link …` */
export function registerLinks(program: Command): void {
  const link = program
    .command('link')
    .description('Create links for logging in once without a password')
  actCommand(
    link,
    'create',
    'Create a link for one account, which replaces its earlier links; it is shown only once',
  )
    .requiredOption('--staff <account>', 'account to log in')
    .requiredOption('--company <identifier>')
    .option('--minutes <n>', 'minutes until it expires, at most 10', '10')
    .action(async (options: LinkOptions) => {
      const { staff, company, minutes, json } = options
      if (!/^([1-9]|10)$/.test(minutes)) throw new Error('--minutes must be a number from 1 to 10')
      const { publicUrl } = readConfig(process.env)
      const work = inCompany(
        company,
        (tx, id) => createLink(tx, id, staff, Number(minutes)),
        options,
      )
      const made = await work
      const url = `${publicUrl}/${company.toLowerCase()}/login?token=${made.token}`
      print(json, { company, account: made.account, url, expiresAt: made.expiresAt }, [
        `link for ${made.account} of ${company}, valid once until ${made.expiresAt}:`,
        url,
      ])
    })
}

function registerAdd(staff: Command): void {
  withPassword(actCommand(staff, 'add <company> <account>', 'Add an account'))
    .requiredOption('--store <code>', 'code of the store')
    .requiredOption('--group <code>', 'code of the staff group, which has the permissions')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .action(async (company: string, account: string, options: AddOptions) => {
      const problem = namesProblem(account, [options.firstName, options.lastName])
      if (problem !== null) throw new Error(problem)
      const { password, made } = await choosePassword(options)
      const { firstName, lastName, group: groupCode, store: storeCode } = options
      await inCompany(
        company,
        async (tx, id) => {
          const passwordHash = await hashAllowed(tx, id, password, [account, firstName, lastName])
          const names = { account, firstName, lastName }
          await addStaff(tx, id, { ...names, groupCode, storeCode, passwordHash })
        },
        options,
      )
      print(options.json, { company, account, ...(made && { password }) }, [
        `${account} of ${company} was added`,
        ...(made ? [`password: ${password}`] : []),
      ])
    })
}

function registerPassword(staff: Command): void {
  withPassword(
    actCommand(
      staff,
      'password <company> <account>',
      'Set a password and end the account’s sessions and links',
    ),
  ).action(async (company: string, account: string, options: PasswordOptions) => {
    const { password, made } = await choosePassword(options)
    await inCompany(
      company,
      async (tx, id) => {
        const hash = await hashAllowed(tx, id, password, [account])
        await setPassword(tx, id, account, hash)
      },
      options,
    )
    print(options.json, { company, account, ...(made && { password }) }, [
      `the password of ${account} was changed`,
      ...(made ? [`password: ${password}`] : []),
    ])
  })
}

function withPassword(command: Command): Command {
  return command
    .option(
      '--password <password>',
      'visible to other users of this machine; prefer --password-stdin',
    )
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
}

async function choosePassword(
  options: PasswordOptions,
): Promise<{ password: string; made: boolean }> {
  const given = options.passwordStdin ? await readSecretFromStdin() : options.password
  return { password: given ?? makePassword(), made: given === undefined }
}
