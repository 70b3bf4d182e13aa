import { resolve } from 'node:path'
import type { Command } from 'commander'
import { inCompany } from '../../company/find.ts'
import { actCommand, columns, print } from '../../database/command.ts'
import type { ActOptions } from '../../process/author.ts'
import { importStaff, readStaffFile } from './import.ts'
import { type Moved, moveStaff, promoteStaff } from './move.ts'
import { counted } from '../../text/counted.ts'

/** `tillside staff move`, `staff promote` and `staff import` */
export function registerRoster(staff: Command): void {
  actCommand(
    staff,
    'move <company> <account>',
    'Move an account to another store and end its sessions',
  )
    .requiredOption('--store <code>', 'code of the new store')
    .action(async (company: string, account: string, options: ActOptions & { store: string }) => {
      const work = inCompany(
        company,
        (tx, id) => moveStaff(tx, id, account, options.store),
        options,
      )
      report(company, 'store', await work, options)
    })
  actCommand(staff, 'promote <company> <account>', 'Give an account another group')
    .requiredOption('--group <code>', 'code of the new staff group, which has the permissions')
    .action(async (company: string, account: string, options: ActOptions & { group: string }) => {
      const { group } = options
      const work = inCompany(company, (tx, id) => promoteStaff(tx, id, account, group), options)
      report(company, 'group', await work, options)
    })
  actCommand(
    staff,
    'import <company> <csv>',
    'Add all accounts of a file or none: account,firstName,lastName,store,group[,password]',
  ).action(runImport)
}

function report(
  company: string,
  what: 'store' | 'group',
  { account, from, to }: Moved,
  { json }: ActOptions,
): void {
  const line =
    from === to
      ? `${account} of ${company} has ${what} ${to} already`
      : `${account} of ${company}: ${what} ${from} → ${to}`
  print(json, { company, account, [what]: to, before: from }, [line])
}

async function runImport(company: string, csv: string, options: ActOptions): Promise<void> {
  const rows = await readStaffFile(resolve(csv))
  const { added, unchanged } = await inCompany(
    company,
    (tx, id) => importStaff(tx, id, rows),
    options,
  )
  const generated = added.flatMap(({ account, password }) =>
    password === null ? [] : [[account, password]],
  )
  print(options.json, { company, added, unchanged }, [
    `${counted(rows.length, 'row')}: ${counted(added.length, 'account')} added, ` +
      `${unchanged} unchanged`,
    ...(generated.length > 0 ? ['generated passwords, shown only once:'] : []),
    ...columns(generated),
  ])
}
