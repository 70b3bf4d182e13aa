import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

/** A contact that a code was sent to, for one purpose. `value` is as `member_key` has it. */
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

/** Makes what proves a contact, once and for a quarter of an hour. @returns its reference */
export function createProof(tx: Transaction, company: { id: string }, of: Contact): string {
  const reference = randomBytes(32).toString('base64url')
  const { purpose, contact, value } = of
  tx.atCommit(insert, [company.id, hashOf(reference), purpose, contact, value])
  return reference
}

/**
 * Uses a proof up, in the transaction of what it is for; a roll-back gives it back.
 * @returns whether the reference proves that very contact, for that purpose, now
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
  return createHash('sha256').update(reference).digest()
}
