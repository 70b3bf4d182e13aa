import { hash as digest } from 'node:crypto'
import * as z from 'zod/mini'
import { changeEpoch } from '../company/epoch.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { forgetAnswersAbout } from '../database/operation.ts'
import { forgetContacts } from '../verification/forget.ts'
import { enqueueEvent } from './events.ts'
import { dropNameKeys } from './names/keys.ts'
import { codeKey } from './key.ts'

const lockMember = statement(
  `select m.member_id, m.member_code,
     array(select value from member_key c where c.company_id = $1
       and c.member_id = m.member_id and c.kind in ('mobile', 'email')) as contacts
   from member_key k
     join member m on m.company_id = $1 and m.member_id = k.member_id
   where k.company_id = $1 and k.kind = 'code' and k.value = $2 for update of m`,
  z.object({ member_id: z.string(), member_code: z.string(), contacts: z.array(z.string()) }),
)
const dropKeys = statement(
  'delete from member_key where company_id = $1 and member_id = $2',
  z.unknown(),
)
const dropOrigin = statement(
  'delete from member_origin where company_id = $1 and member_id = $2',
  z.unknown(),
)
const blank = statement(
  `update member set member_code = $3, card_number = '', uni_customer_no = '', first_name = '',
     last_name = '', gender = null, birthday = null, country_code = null, mobile = null,
     email = null, address = '{}', custom_fields = '{}', marketing_opt_in = false,
     version = version + 1, changed_at = now()
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)
const findErasure = statement(
  `select at from audit where company_id = $1 and staff_id is null and action = 'member.erase'
     and details ->> 'codeHash' = $2 order by at limit 1`,
  z.object({ at: z.string() }),
)

const findErased = statement(
  `select details ->> 'codeHash' as hash from audit
   where company_id = $1 and staff_id is null and action = 'member.erase'
     and details ->> 'codeHash' = any ($2::text[])`,
  z.object({ hash: z.string() }),
)

/** The member code of an erased member. */
export const erasedCode = 'ERASED'

export type Erasure =
  | { outcome: 'erased'; memberId: string }
  | { outcome: 'erasedBefore'; at: string }
  | { outcome: 'unknown' }

/**
 * Erases the personal data of a member: names, contacts, numbers, all fields of the form, and every
 * key. Receipts, points and coupons keep their amounts, and the consents stay as proof; they
 * contain no personal data. Only a hash of the code is kept, to recognise a second request.
 */
export async function eraseMember(
  tx: Transaction,
  company: { id: string },
  memberCode: string,
): Promise<Erasure> {
  const codeHash = hashOf(memberCode)
  const member = await tx.maybe(lockMember, [company.id, codeKey(memberCode)])
  if (member === null) {
    const before = await tx.maybe(findErasure, [company.id, codeHash])
    return before === null ? { outcome: 'unknown' } : { outcome: 'erasedBefore', at: before.at }
  }
  const memberId = member.member_id
  changeEpoch(tx, company.id)
  await Promise.all([
    tx.run(dropKeys, [company.id, memberId]),
    forgetContacts(tx, company.id, member.contacts),
    eraseProfile(tx, company, memberId, member.member_code),
  ])
  return { outcome: 'erased', memberId }
}

/** Erases the profile of a member without keys: of one who was merged into the erased one. */
export async function eraseProfile(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  memberCode: string,
): Promise<void> {
  await Promise.all([
    tx.run(dropOrigin, [company.id, memberId]),
    dropNameKeys(tx, company.id, memberId),
    tx.run(blank, [company.id, memberId, erasedCode]),
    forgetAnswersAbout(tx, company.id, memberCode),
  ])
  const actor = { company, staff: null, store: null }
  const details = { codeHash: hashOf(memberCode) }
  writeAudit(tx, actor, 'command', { action: 'member.erase', memberId, details })
  // The receivers need the code to erase the member too.
  enqueueEvent(tx, company.id, 'member.erased', memberId, { memberCode })
}

/**
 * Finds the codes of erased members among these, so that an old file does not create them again.
 */
export async function erasedAmong(
  tx: Transaction,
  company: { id: string },
  memberCodes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.all(findErased, [company.id, memberCodes.map(hashOf)])
  const erased = new Set(rows.map(({ hash }) => hash))
  return new Set(memberCodes.filter((code) => erased.has(hashOf(code))))
}

function hashOf(memberCode: string): string {
  return digest('sha256', codeKey(memberCode), 'hex')
}
