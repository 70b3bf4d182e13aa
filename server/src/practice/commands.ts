import type { Command } from 'commander'
import { companyNamed } from '../company/find.ts'
import { actCommand, columns, print, withDatabase } from '../database/command.ts'
import type { ActOptions } from '../process/author.ts'
import { createPractice } from './create.ts'

/** `tillside company practice` */
export function registerPractice(company: Command): void {
  actCommand(
    company,
    'practice <company>',
    'Create <company>-practice with fictitious members, for clerks to learn with; every night a ' +
      'job makes its data again',
  ).action(async (identifier: string, options: ActOptions) => {
    const made = await withDatabase(
      async ({ database }) => createPractice(database, await companyNamed(database, identifier)),
      { act: options },
    )
    const accounts = made.accounts.map(({ account, group, password }) => [account, group, password])
    print(options.json, made, [
      `${made.identifier} was created with ${made.members} fictitious members`,
      'Accounts; the passwords are shown only once:',
      ...columns([['ACCOUNT', 'GROUP', 'PASSWORD'], ...accounts]),
    ])
  })
}
