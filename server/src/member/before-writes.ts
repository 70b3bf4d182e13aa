import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

const readMember = statement(
  'select from member where company_id = $1 and member_id = $2',
  z.unknown(),
)

/**
 * To be sent before the first write to a member's rows, where the change has not read any of them.
 * On a cluster a change that writes on a second node has to commit in two phases. Citus notices the
 * second node when the change has read the same shard before, or when the write opens the
 * connection to the node. It misses it when a read of another shard has opened the connection,
 * such as that of the session (decision 138).
 */
export async function beforeWrites(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await tx.run(readMember, [companyId, memberId])
}
