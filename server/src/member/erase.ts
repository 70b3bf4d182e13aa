import { hash as digest } from 'node:crypto'
import * as z from 'zod/mini'
import { changeEpoch } from '../company/epoch.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { forgetAnswersAbout } from '../database/operation.ts'
import { forgetContacts } from '../verification/forget.ts'
import { enqueueEvent } from './events.ts'
import { dropNameKeys } from './names/keys.ts'
import { codeKey } from './key.ts'
import { findMemberId } from './look-up.ts'
import { Outdated } from '../values/outdated.ts'

const lockMember = lockOf(
  'member',
  ['company_id', 'member_id'],
  'select member_code from member where company_id = $1 and member_id = $2 for update',
  z.object({ member_code: z.string() }),
)
const findKeys = wholeCompany(
  'select kind, value from member_key where company_id = $1 and member_id = $2',
  z.object({ kind: z.string(), value: z.string() }),
)
const dropKey = statement(
  'delete from member_key where company_id = $1 and kind = $2 and value = $3',
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
const findErasure = wholeCompany(
  `select at from audit where company_id = $1 and staff_id is null and action = 'member.erase'
     and details ->> 'codeHash' = $2 order by at limit 1`,
  z.object({ at: z.string() }),
)

const findErased = wholeCompany(
  `select details ->> 'codeHash' as hash from audit
   where company_id = $1 and staff_id is null and action = 'member.erase'
     and details ->> 'codeHash' = any ($2::text[])`,
  z.object({ hash: z.string() }),
)

/** The member code of an erased member. */
export const erasedCode = 'ERASED'

/** Whether a member was erased, and has no key any more. */
export function isErased(member: { member_code: string; card_number: string }): boolean {
  return member.member_code === erasedCode && member.card_number === ''
}

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
  const memberId = await findMemberId(tx, company.id, memberCode)
  if (memberId === null) {
    const before = await tx.maybe(findErasure, [company.id, codeHash])
    return before === null ? { outcome: 'unknown' } : { outcome: 'erasedBefore', at: before.at }
  }
  const of = [company.id, memberId]
  const [{ member_code: code }, owner, keys] = await Promise.all([
    tx.one(lockMember, of),
    findMemberId(tx, company.id, memberCode),
    tx.all(findKeys, of),
  ])
  // A merge, its undo or another erasure was committed before the lock.
  if (owner !== memberId) throw new Outdated('the code has another member now')
  changeEpoch(tx, company.id)
  const contacts = keys.filter(({ kind }) => kind === 'mobile' || kind === 'email')
  await Promise.all([
    ...keys.map(({ kind, value }) => tx.run(dropKey, [company.id, kind, value])),
    forgetContacts(
      tx,
      company.id,
      contacts.map(({ value }) => value),
    ),
    eraseProfile(tx, company, memberId, code),
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
