import * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import { findCompanyId } from '../company/find.ts'
import {
  type Database,
  isLockTimeout,
  sqlState,
  statement,
  type Transaction,
} from '../database/database.ts'
import { createCompany, newCompanyId } from '../setup/apply.ts'
import { definitionOf } from '../setup/export.ts'
import { readDefinition } from '../setup/rules/read.ts'
import { addStaff } from '../staff/accounts.ts'
import { hashPassword } from '../staff/password.ts'
import { makePassword } from '../staff/roster/new-password.ts'
import { practiceDefinition, practiceIdentifier } from './definition.ts'
import { fillPractice } from './fill.ts'

const isPractice = statement(
  'select practice from company where company_id = $1',
  z.object({ practice: z.boolean() }),
)

export type PracticeCompany = {
  identifier: string
  members: number
  /** One account for each staff group that may do something; the passwords are known only now. */
  accounts: { account: string; group: string; password: string }[]
}

/**
 * Creates the practice company of a real one, in one transaction: all of it exists afterwards, or
 * nothing.
 * @throws Error when its identifier is in use, or the company is a practice company itself
 */
export async function createPractice(database: Database, realId: string): Promise<PracticeCompany> {
  const { definition, logo } = await database.reading(realId, (tx) => readReal(tx, realId))
  const { identifier } = definition
  if ((await findCompanyId(database, identifier)) !== null) throw inUse(identifier)
  const id = await newCompanyId(database)
  const accounts = await Promise.all(accountsOf(definition))
  try {
    const members = await database.transaction(id, async (tx) => {
      await createCompany(tx, id, { definition, logo, checksum: null }, true)
      for (const { hash: passwordHash, group: groupCode, account, storeCode } of accounts) {
        const names = { account, firstName: 'Practice', lastName: groupCode }
        await addStaff(tx, id, { ...names, groupCode, storeCode, passwordHash })
      }
      return fillPractice(tx, id)
    })
    const printed = accounts.map(({ account, group, password }) => ({ account, group, password }))
    return { identifier, members, accounts: printed }
  } catch (error) {
    // Another command has just created it, or is creating it.
    if (sqlState(error) === '23505' || isLockTimeout(error)) throw inUse(identifier)
    throw error
  }
}

async function readReal(
  tx: Transaction,
  realId: string,
): Promise<{ definition: Definition; logo: string }> {
  const [{ practice }, { definition }, { logo }] = await Promise.all([
    tx.one(isPractice, [realId]),
    readDefinition(tx, realId),
    definitionOf(tx, realId),
  ])
  if (practice) throw new Error(`${definition.identifier} is a practice company itself`)
  const length = practiceIdentifier(definition.identifier).length
  if (length > 64) throw new Error(`the identifier would have ${length} characters; 64 are allowed`)
  return { definition: practiceDefinition(definition), logo }
}

function inUse(identifier: string): Error {
  return new Error(`the identifier "${identifier}" is in use; nothing was changed`)
}

/** Shared accounts with invented names: a clerk's own name is data of the real company. */
function accountsOf({ groups, stores }: Definition) {
  const storeCode = stores.find(({ active }) => active)?.code ?? ''
  return groups
    .filter(({ permissions, menus }) => permissions.length > 0 && menus.length > 0)
    .map(async ({ code }) => {
      const password = makePassword()
      const hash = await hashPassword(password)
      return { account: code.toLowerCase(), group: code, storeCode, password, hash }
    })
}
