import * as z from 'zod/mini'
import { forgetCouponReasons } from '../coupon/undo.ts'
import { forgetAuditReasons } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { allowWholeCompany, wholeCompany } from '../database/reads/whole.ts'
import { type Erasure, eraseMember, eraseProfile } from '../member/erase.ts'
import { findMemberId } from '../member/look-up.ts'
import { mergedInto } from '../merge/unmerge.ts'
import { forgetEvents } from '../outbox/forget.ts'
import { forgetPointReasons } from '../points/adjust.ts'
import { countNotesNaming, forgetNotesNaming } from '../activity/forget-notes.ts'

const readMember = statement(
  `select m.member_id, m.first_name, m.last_name, m.gender, m.birthday, m.mobile, m.email,
     m.address, m.custom_fields
   from member m where m.company_id = $1 and m.member_id = $2`,
  z.object({
    member_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    gender: z.nullable(z.json()),
    birthday: z.nullable(z.string()),
    mobile: z.nullable(z.string()),
    email: z.nullable(z.string()),
    address: z.record(z.string(), z.json()),
    custom_fields: z.record(z.string(), z.json()),
  }),
)
const countKeys = wholeCompany(
  'select count(*)::int as count from member_key where company_id = $1 and member_id = $2',
  z.object({ count: z.int() }),
)
// Audit rows are not found by their member alone.
const readCounts = wholeCompany(
  `select what, count::int from (
     select 'pointReasons' as what, count(*) as count from point_entry
       where company_id = $1 and member_id = $2 and description is not null
     union all select 'couponReasons', count(*) from coupon
       where company_id = $1 and member_id = $2 and voided_reason <> ''
     union all select 'couponReasons', count(*) from coupon_redemption
       where company_id = $1 and member_id = $2 and cancelled_reason <> ''
     union all select 'auditReasons', count(*) from audit
       where company_id = $1 and member_id = $2 and (reason is not null or details ? 'reason')
     union all select 'events', count(*) from event where company_id = $1 and member_id = $2
     union all select 'entries', count(*) from point_entry where company_id = $1 and member_id = $2
     union all select 'coupons', count(*) from coupon where company_id = $1 and member_id = $2
     union all select 'receipts', count(*) from transaction
       where company_id = $1 and place = $2 and member_id = $2
     union all select 'consents', count(*) from consent where company_id = $1 and member_id = $2
   ) counted`,
  z.object({ what: z.string(), count: z.int() }),
)

type Member = z.infer<typeof readMember.row>

/** The data that an erasure removes and keeps, one line each, without personal data. */
export type ErasurePlan = { removed: string[]; kept: string[] }

/**
 * Describes the erasure of a member; null: there is no such member.
 * @param reason of the erasure, which is kept
 * @throws Error when the reason contains the member's name or contacts
 */
export async function planErasure(
  tx: Transaction,
  company: { id: string },
  memberCode: string,
  reason: string,
): Promise<ErasurePlan | null> {
  const member = await findMember(tx, company, memberCode)
  if (member === null) return null
  refuseNames(member, reason)
  const counts = new Map<string, number>()
  await allowWholeCompany(tx)
  counts.set('notes', await countNotesNaming(tx, company.id, wordsOf(member, memberCode)))
  const ids = [company.id, member.member_id]
  counts.set('keys', (await tx.one(countKeys, ids)).count)
  for (const { what, count } of await tx.all(readCounts, ids)) {
    counts.set(what, (counts.get(what) ?? 0) + count)
  }
  const lines = (...of: readonly (readonly [string, string])[]) =>
    of.flatMap(([what, name]) => {
      const count = counts.get(what) ?? 0
      return count === 0 ? [] : [`${count} ${name}`]
    })
  return {
    removed: [
      fieldsOf(member).join(', '),
      ...lines(
        ['keys', 'keys: member code, card and customer number, contacts'],
        ['pointReasons', 'descriptions and reasons of point entries'],
        ['couponReasons', 'reasons of voided and returned coupons'],
        ['auditReasons', 'reasons in the audit log'],
        ['notes', 'hand-over notes that name the member'],
        ['events', 'webhook events, also those that are not delivered yet'],
      ),
    ],
    kept: lines(
      ['entries', 'point entries'],
      ['coupons', 'coupons'],
      ['receipts', 'receipts'],
      ['consents', 'consents'],
    ),
  }
}

/**
 * Erases a member with all members who are merged into them, and all free text about them in every
 * feature.
 * @param tx of the database's owner: the program's role cannot update entries and audit rows
 */
export async function erase(
  tx: Transaction,
  company: { id: string },
  memberCode: string,
): Promise<Erasure> {
  const member = await findMember(tx, company, memberCode)
  const words = member === null ? [] : wordsOf(member, memberCode)
  const erasure = await eraseMember(tx, company, memberCode)
  if (erasure.outcome !== 'erased') return erasure
  const merged = await mergedInto(tx, company.id, erasure.memberId)
  // The audit log and the events have no index by member: every look-up would pay for it, and
  // erasures are rare.
  await allowWholeCompany(tx)
  await Promise.all([
    forgetNotesNaming(tx, company.id, words),
    ...merged.map(async ({ id, memberCode: code }) => eraseProfile(tx, company, id, code)),
    ...[erasure.memberId, ...merged.map(({ id }) => id)].flatMap((memberId) => [
      forgetPointReasons(tx, company.id, memberId),
      forgetCouponReasons(tx, company.id, memberId),
      forgetAuditReasons(tx, company.id, memberId),
      forgetEvents(tx, company.id, memberId),
    ]),
  ])
  return erasure
}

async function findMember(
  tx: Transaction,
  { id }: { id: string },
  memberCode: string,
): Promise<Member | null> {
  const memberId = await findMemberId(tx, id, memberCode)
  return memberId === null ? null : tx.maybe(readMember, [id, memberId])
}

/** How a colleague's note can name the member: by the whole name, a contact or the code. */
function wordsOf(member: Member, memberCode: string): string[] {
  const { first_name: first, last_name: last, mobile, email } = member
  const names = first === '' || last === '' ? [] : [first + last, last + first]
  return [...names, mobile ?? '', email ?? '', memberCode].filter((word) => word !== '')
}

/** The names of the filled fields. */
function fieldsOf(member: Member): string[] {
  const own = Object.keys(member.custom_fields)
  const fields = [
    ['first name', member.first_name],
    ['last name', member.last_name],
    ['gender', member.gender],
    ['birthday', member.birthday],
    ['mobile number', member.mobile],
    ['e-mail address', member.email],
    ['address', Object.keys(member.address).length > 0],
  ] as const
  return [...fields.flatMap(([name, value]) => (value === null || !value ? [] : [name])), ...own]
}

function refuseNames(member: Member, reason: string): void {
  const written = reason.toLowerCase()
  const names = [member.first_name, member.last_name, member.mobile, member.email]
  // A single letter, such as an initial, would be found in every sentence.
  const isNamed = names.some(
    (name) => name !== null && name.length > 1 && written.includes(name.toLowerCase()),
  )
  if (!isNamed) return
  throw new Error(
    '--reason is kept after the erasure, so it must not contain the member’s name or contacts',
  )
}
