import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { forgetMessages } from './deliver.ts'

// A row has the times of the codes sent within a day. The newest was sent five minutes before the
// row expires.
const forgetCodes = statement(
  `delete from contact_code c using (
     select purpose, contact, value from contact_code
     where company_id = $1 and expires_at < now() - interval '1 day'
     limit $2 for update skip locked
   ) old
   where c.company_id = $1 and c.purpose = old.purpose and c.contact = old.contact
     and c.value = old.value`,
  z.unknown(),
)
const forgetProofs = statement(
  `delete from contact_proof where company_id = $1 and reference_hash in (
     select reference_hash from contact_proof where company_id = $1 and expires_at < now()
     limit $2 for update skip locked
   )`,
  z.unknown(),
)

/**
 * Deletes contacts that were sent no code for a day, expired proofs, and messages settled a week
 * ago.
 * @param limit the maximum number of rows of each kind
 * @returns the total number of deleted rows
 */
export async function forgetVerification(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  const all = [
    ...[forgetCodes, forgetProofs].map((s) => tx.run(s, [companyId, limit])),
    forgetMessages(tx, companyId, limit),
  ]
  return (await Promise.all(all)).reduce((sum, count) => sum + count, 0)
}

// The message is deleted with its code, because an unsent message contains the recipient.
const dropCodes = statement(
  `with dropped as (
     delete from contact_code where company_id = $1 and value = any ($2::text[])
     returning message_id
   )
   delete from message m using dropped d
   where m.company_id = $1 and m.message_id = d.message_id and m.content is not null`,
  z.unknown(),
)
const dropProofs = statement(
  'delete from contact_proof where company_id = $1 and value = any ($2::text[])',
  z.unknown(),
)

/** Deletes the codes and proofs of the contacts of a member to be erased. */
export async function forgetContacts(
  tx: Transaction,
  companyId: string,
  contacts: readonly string[],
): Promise<void> {
  await Promise.all([dropCodes, dropProofs].map((s) => tx.run(s, [companyId, contacts])))
}
