import { callingCodePattern, nationalNumberPattern } from '@tillside/contract/rules/contact'
import { genders } from '@tillside/contract/wire/codes'
import { Language } from '@tillside/contract/wire/language'
import { Day, MemberCode, name, text } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import { emailKey, mobileKey } from '../values/contact.ts'
import { statement, type Transaction } from '../database/database.ts'
import { insertAtCommit, insertOf, insertRows } from '../database/insert.ts'
import { newId } from '../values/id.ts'
import { enqueueEvents } from './events.ts'
import { writeNameKeys } from './names/keys.ts'
import { codeKey, type KeyKind } from './key.ts'

const TakenKey = z.object({
  kind: z.enum(['code', 'card', 'mobile', 'email', 'uni']),
  value: z.string(),
})
type TakenKey = z.infer<typeof TakenKey>
const findTaken = statement(
  'select kind, value from member_key where company_id = $1 and kind = $2 and value = $3',
  TakenKey,
)
const insertMembers = insertOf(
  `member (company_id, member_id, member_code, uni_customer_no, card_number, first_name, last_name,
     gender, birthday, country_code, mobile, email, address, registration_date,
     registration_store, tnc_version, tnc_accepted_at, marketing_opt_in, custom_fields)`,
  `($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
  '',
  z.unknown(),
)
const insertTiers = insertOf(
  'member_tier (company_id, member_id, tier_code, start_date)',
  '($1, $2, lowest_tier($1), $3)',
  '',
  z.unknown(),
)
const insertConsents = insertOf(
  `consent (company_id, consent_id, member_id, kind, version, agreed, language, at, staff_id,
     store_code)`,
  '($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  '',
  z.unknown(),
)
type Written = { kind: string; value: string; member_id: string | undefined }
// With the member: two members of one batch may have the same key.
const nameOf = (key: Written) => `${key.kind} ${key.value} ${key.member_id}`
const insertKeys = insertOf(
  'member_key (company_id, kind, value, member_id)',
  '($1, $2, $3, $4)',
  'on conflict do nothing returning kind, value, member_id',
  z.extend(TakenKey, { member_id: z.string() }),
)

const Consent = z.strictObject({
  version: text(32),
  language: Language,
  at: z.iso.datetime({ offset: true }),
  staffId: z._default(z.nullable(z.uuid()), null),
  storeCode: z._default(z.nullable(z.string()), null),
})
const keepOrigins = insertOf(
  'member_origin (company_id, member_id, content_hash)',
  '($1, $2, $3)',
  '',
  z.unknown(),
)
/** A part of an address: one line of text with a limit. */
const line = (max: number) => z.optional(z.nullable(text(max)))

/** The data of a new member; days are in the company's calendar. */
export const NewMember = z
  .strictObject({
    memberCode: MemberCode,
    uniCustomerNo: text(64),
    cardNumber: text(32),
    firstName: z.union([z.literal(''), name(120)]),
    lastName: z.union([z.literal(''), name(120)]),
    gender: z._default(z.nullable(z.enum(genders)), null),
    birthday: z._default(z.nullable(Day), null),
    countryCode: z._default(z.nullable(z.string().check(z.regex(callingCodePattern))), null),
    mobile: z._default(z.nullable(z.string().check(z.regex(nationalNumberPattern))), null),
    email: z._default(z.nullable(text(254)), null),
    address: z._default(
      z.strictObject({
        country: line(120),
        province: line(120),
        city: line(120),
        district: line(120),
        detail: line(300),
      }),
      {},
    ),
    registrationDate: Day,
    /** A store's code. */
    registrationStore: z._default(z.nullable(z.string()), null),
    marketingOptIn: z._default(z.boolean(), false),
    customFields: z._default(
      z.record(
        z.string(),
        z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
      ),
      {},
    ),
    /** The accepted terms, with language, time and store; null: none yet. */
    consent: z._default(z.nullable(Consent), null),
  })
  .check(z.refine((m) => (m.mobile === null) === (m.countryCode === null), { path: ['mobile'] }))
export type NewMember = z.infer<typeof NewMember>

/** A key of a new member belongs to another member; the transaction must be rolled back. */
export class KeysTaken extends Error {
  readonly kinds: readonly KeyKind[]
  constructor(kinds: readonly KeyKind[]) {
    super(`the ${[...new Set(kinds)].join(' and the ')} belongs to another member`)
    this.kinds = kinds
  }
}

/** Finds the kinds of keys of a new member that belong to other members. */
export async function takenKeyKinds(
  tx: Transaction,
  company: { id: string },
  member: NewMember,
): Promise<KeyKind[]> {
  const found = await Promise.all(
    keysOf(member).map(({ kind, value }) => tx.maybe(findTaken, [company.id, kind, value])),
  )
  return found.flatMap((row) => (row === null ? [] : [row.kind]))
}

/**
 * Inserts members with their keys, tiers and consents, and enqueues `member.created` for each.
 * @param openAccounts opens a points account for each member
 * @returns their ids, in the order of the inputs
 * @throws KeysTaken when another member has one of their keys
 */
export async function insertNewMembers(
  tx: Transaction,
  company: { id: string },
  inputs: readonly NewMember[],
  openAccounts: (memberIds: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const rows = inputs.map((input) => rowOf(newId(), input))
  const ids = rows.map(({ member_id: id }) => id)
  const keys = inputs.flatMap((input, n) =>
    keysOf(input).map(({ kind, value }) => ({ kind, value, member_id: ids[n] })),
  )
  const consents = inputs.flatMap((input, n) =>
    consentsOf(input).map((row) => Object.assign({ consent_id: newId(), member_id: ids[n] }, row)),
  )
  const tiers = rows.map((row) => [row.member_id, row.registration_date])
  // Sent together; the database runs them in this order.
  const [, , , , written] = await Promise.all([
    insertRows(tx, insertMembers, company.id, rows.map(Object.values)),
    openAccounts(ids),
    insertRows(tx, insertTiers, company.id, tiers),
    insertRows(tx, insertConsents, company.id, consents.map(Object.values)),
    insertRows(tx, insertKeys, company.id, keys.map(Object.values)),
  ])
  const isWritten = new Set(written.map(nameOf))
  const taken = keys.filter((key) => !isWritten.has(nameOf(key)))
  if (taken.length > 0) throw new KeysTaken(taken.map(({ kind }) => kind))
  const events = rows.map((row) => ({
    memberId: row.member_id,
    data: {
      registrationDate: row.registration_date,
      registrationStore: row.registration_store,
      marketingOptIn: row.marketing_opt_in,
    },
    ...(row.registration_store === null ? {} : { store: row.registration_store }),
  }))
  enqueueEvents(tx, company.id, 'member.created', events)
  const named = rows.map((row) => ({
    memberId: row.member_id,
    firstName: row.first_name,
    lastName: row.last_name,
  }))
  await writeNameKeys(tx, company.id, named)
  return ids
}

function rowOf(memberId: string, input: NewMember) {
  const { consent } = input
  return {
    member_id: memberId,
    member_code: input.memberCode,
    uni_customer_no: input.uniCustomerNo,
    card_number: input.cardNumber,
    first_name: input.firstName,
    last_name: input.lastName,
    gender: input.gender,
    birthday: input.birthday,
    country_code: input.countryCode,
    mobile: input.mobile,
    email: input.email,
    address: input.address,
    registration_date: input.registrationDate,
    registration_store: input.registrationStore,
    tnc_version: consent?.version ?? null,
    tnc_accepted_at: consent?.at ?? null,
    marketing_opt_in: input.marketingOptIn,
    custom_fields: input.customFields,
  }
}

/** All keys of a new member. */
export function keysOf(input: NewMember): { kind: KeyKind; value: string }[] {
  const { countryCode, mobile, email } = input
  return [
    { kind: 'code', value: codeKey(input.memberCode) },
    { kind: 'card', value: codeKey(input.cardNumber) },
    { kind: 'uni', value: codeKey(input.uniCustomerNo) },
    ...(email === null ? [] : [{ kind: 'email', value: emailKey(email) } as const]),
    ...(mobile === null || countryCode === null
      ? []
      : [{ kind: 'mobile', value: mobileKey(countryCode, mobile) } as const]),
  ]
}

/** Accepting the terms and the answer about marketing are two consents. */
function consentsOf({ consent, marketingOptIn }: NewMember) {
  if (consent === null) return []
  const { version, language, at, staffId, storeCode } = consent
  const given = { language, at, staff_id: staffId, store_code: storeCode }
  return [
    { kind: 'terms', version, agreed: true, ...given },
    { kind: 'marketing', version, agreed: marketingOptIn, ...given },
  ]
}

/**
 * Stores hashes of the rows from which members were made, so that a repeated import can be
 * distinguished from a change.
 */
export function storeOrigins(
  tx: Transaction,
  company: { id: string },
  origins: readonly { memberId: string; hash: Buffer }[],
): void {
  const rows = origins.map(({ memberId, hash }) => [memberId, hash])
  insertAtCommit(tx, keepOrigins, company.id, rows)
}
