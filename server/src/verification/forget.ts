import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { dropSome, type Old } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { forgetMessages } from './deliver.ts'

// A row has the times of the codes sent within a day. The newest was sent five minutes before the
// row expires.
const isQuiet = `expires_at < now() - interval '1 day'`
const codes: Old = {
  find: wholeCompany(
    `select purpose, contact, value from contact_code
     where company_id = $1 and ${isQuiet} limit $2`,
    z.object({ purpose: z.string(), contact: z.string(), value: z.string() }),
  ),
  lock: lockOf(
    'contact_code',
    ['company_id', 'purpose', 'contact', 'value'],
    `select from contact_code
     where company_id = $1 and purpose = $2 and contact = $3 and value = $4 and ${isQuiet}
     for update skip locked`,
    z.unknown(),
  ),
  drop: statement(
    `delete from contact_code
     where company_id = $1 and purpose = $2 and contact = $3 and value = $4`,
    z.unknown(),
  ),
}
const proofs: Old = {
  find: wholeCompany(
    `select reference_hash from contact_proof
     where company_id = $1 and expires_at < now() limit $2`,
    z.object({ reference_hash: z.instanceof(Buffer) }),
  ),
  lock: lockOf(
    'contact_proof',
    ['company_id', 'reference_hash'],
    `select from contact_proof
     where company_id = $1 and reference_hash = $2 and expires_at < now()
     for update skip locked`,
    z.unknown(),
  ),
  drop: statement(
    'delete from contact_proof where company_id = $1 and reference_hash = $2',
    z.unknown(),
  ),
}

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
    ...[codes, proofs].map((old) => dropSome(tx, old, companyId, limit)),
    forgetMessages(tx, companyId, limit),
  ]
  return (await Promise.all(all)).reduce((sum, count) => sum + count, 0)
}

const dropCodes = statement(
  `delete from contact_code where company_id = $1 and value = $2 returning message_id`,
  z.object({ message_id: z.nullable(z.string()) }),
)
// The message is deleted with its code, because an unsent message contains the recipient.
const dropMessage = statement(
  'delete from message where company_id = $1 and message_id = $2 and content is not null',
  z.unknown(),
)
const findProofs = wholeCompany(
  'select reference_hash from contact_proof where company_id = $1 and value = any ($2::text[])',
  z.object({ reference_hash: z.instanceof(Buffer) }),
)

/** Deletes the codes and proofs of the contacts of a member to be erased. */
export async function forgetContacts(
  tx: Transaction,
  companyId: string,
  contacts: readonly string[],
): Promise<void> {
  const [found, ...dropped] = await Promise.all([
    tx.all(findProofs, [companyId, contacts]),
    ...contacts.map((contact) => tx.all(dropCodes, [companyId, contact])),
  ])
  await Promise.all([
    ...found.map(({ reference_hash: hash }) => tx.run(proofs.drop, [companyId, hash])),
    ...dropped.flat().map(({ message_id: id }) => tx.run(dropMessage, [companyId, id])),
  ])
}
