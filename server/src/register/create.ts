import type { Transaction } from '../database/database.ts'
import { insertNewMembers, type NewMember } from '../member/create.ts'
import { openAccounts } from '../points/ledger.ts'

/**
 * Creates a member with the keys that find it, an empty points account, the lowest tier and the
 * consents that it gave.
 * @returns the member's id
 * @throws KeysTaken when another member has one of its keys; `takenKeyKinds` asks before
 */
export async function createMember(
  tx: Transaction,
  company: { id: string },
  member: NewMember,
): Promise<string> {
  const [memberId = ''] = await createMembers(tx, company, [member])
  return memberId
}

/**
 * Creates many members in one round trip, for imports.
 * @returns their ids, in the order of the inputs
 * @throws KeysTaken when another member has one of their keys
 */
export async function createMembers(
  tx: Transaction,
  company: { id: string },
  members: readonly NewMember[],
): Promise<string[]> {
  return insertNewMembers(tx, company, members, (ids) => openAccounts(tx, company.id, ids))
}
