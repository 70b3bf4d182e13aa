import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { addStaff } from '../../staff/accounts.ts'
import { createLink } from '../../staff/link.ts'
import { noCompany } from '../../staff/throttle/address.ts'
import { clientOf, logIn, password, type TestCompany } from './company.ts'
import { quickHash } from '../quick-hash.ts'

/** Adds an account and logs in. @returns its token */
export async function testClerk(
  company: TestCompany,
  account: string,
  { groupCode = 'full', storeCode = 'S1' } = {},
): Promise<string> {
  const passwordHash = quickHash(password)
  const names = { firstName: account, lastName: 'Test' }
  await company.database.transaction(company.id, (tx) =>
    addStaff(tx, company.id, { account, ...names, groupCode, storeCode, passwordHash }),
  )
  return logIn(company, account)
}

/** Creates a login link for an account. @returns its token */
export async function testLink({ database, id }: TestCompany, account: string): Promise<string> {
  const { token } = await database.transaction(id, (tx) => createLink(tx, id, account, 10))
  return token
}

const dropAttempts = statement(
  'delete from login_address where company_id = $1 and network = any ($2)',
  z.unknown(),
)

/** Forgets the attempts of the test's own addresses, which several tests share. */
export async function forgetAttempts({ database, app }: TestCompany): Promise<void> {
  const networks = [clientOf(app), '127.0.0.1']
  await database.transaction(noCompany, (tx) => tx.run(dropAttempts, [noCompany, networks]))
}
