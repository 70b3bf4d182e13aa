import { addStaff } from '../../staff/accounts.ts'
import { createLink } from '../../staff/link.ts'
import { logIn, password, type TestCompany } from './company.ts'
import { quickHash } from '../quick-hash.ts'

/** One more account, logged in. @returns its token */
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

/** What a new link of an account carries. */
export async function testLink({ database, id }: TestCompany, account: string): Promise<string> {
  const { token } = await database.transaction(id, (tx) => createLink(tx, id, account, 10))
  return token
}
