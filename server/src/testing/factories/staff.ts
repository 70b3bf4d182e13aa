import { addStaff } from '../../staff/accounts.ts'
import { createLink } from '../../staff/link.ts'
import { logIn, password, type TestCompany } from './company.ts'
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
