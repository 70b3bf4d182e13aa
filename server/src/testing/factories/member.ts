import { randomBytes } from 'node:crypto'
import { NewMember } from '../../member/create.ts'
import { createMember } from '../../register/create.ts'
import type { TestCompany } from './company.ts'

/** Creates a member for one test. */
export async function testMember(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  changes: Partial<NewMember> = {},
): Promise<{ id: string; memberCode: string }> {
  const member = newTestMember(changes)
  const memberId = await database.transaction(id, (tx) => createMember(tx, { id }, member))
  return { id: memberId, memberCode: member.memberCode }
}

/** The input for such a member, with unique codes. */
export function newTestMember(changes: Partial<NewMember> = {}): NewMember {
  const unique = randomBytes(6).toString('hex').toUpperCase()
  return NewMember.parse({
    memberCode: `M${unique}`,
    uniCustomerNo: `U${unique}`,
    cardNumber: `C${unique}`,
    firstName: 'Mei',
    lastName: 'Chan',
    registrationDate: '2026-01-05',
    ...changes,
  })
}
