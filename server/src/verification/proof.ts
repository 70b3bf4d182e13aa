import { hash as digest, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

/** A contact that a code was sent to, for one purpose. `value` is normalised as in `member_key`. */
export type Contact = {
  purpose: 'register'
  contact: 'mobile' | 'email'
  value: string
}

const insert = statement(
  `insert into contact_proof (company_id, reference_hash, purpose, contact, value, expires_at)
   values ($1, $2, $3, $4, $5, now() + interval '15 minutes')`,
  z.unknown(),
)
const take = statement(
  `delete from contact_proof where company_id = $1 and reference_hash = $2 and purpose = $3
     and contact = $4 and value = $5 and expires_at > now()`,
  z.unknown(),
)

/** Creates a proof of a contact, valid once and for 15 minutes. @returns its reference */
export function createProof(tx: Transaction, company: { id: string }, of: Contact): string {
  const reference = randomBytes(32).toString('base64url')
  const { purpose, contact, value } = of
  tx.atCommit(insert, [company.id, hashOf(reference), purpose, contact, value])
  return reference
}

/**
 * Consumes a proof in the transaction that needs it; a rollback restores it.
 * @returns whether the reference is a valid proof of this contact for this purpose
 */
export async function consumeProof(
  tx: Transaction,
  company: { id: string },
  { purpose, contact, value }: Contact,
  reference: string,
): Promise<boolean> {
  const taken = await tx.run(take, [company.id, hashOf(reference), purpose, contact, value])
  return taken === 1
}

function hashOf(reference: string): Buffer {
  return digest('sha256', reference, 'buffer')
}
