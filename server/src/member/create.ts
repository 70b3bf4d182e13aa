import { genders } from '@tillside/contract/codes'
import { Day, Instant, MemberCode, text } from '@tillside/contract/shapes'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../kit/database.ts'
import { newId } from '../kit/id.ts'
import { codeKey, emailKey, type KeyKind, mobileKey } from './key.ts'

const optional = (max: number) => z._default(z.nullable(text(max)), null)
const CustomValue = z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))

/** A member as registration, an import or the integration interface tells it. */
export const NewMember = z
  .strictObject({
    memberCode: MemberCode,
    uniCustomerNo: text(64),
    cardNumber: text(32),
    firstName: text(100),
    lastName: text(100),
    gender: z._default(z.nullable(z.enum(genders)), null),
    birthday: z._default(z.nullable(Day), null),
    /** Digits without `+`; `mobile` is the national number. */
    countryCode: z._default(z.nullable(text(4).check(z.regex(/^[1-9]\d{0,3}$/))), null),
    mobile: z._default(z.nullable(text(15).check(z.regex(/^\d{4,15}$/))), null),
    email: z._default(z.nullable(text(254).check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/))), null),
    address: z._default(
      z.strictObject({
        country: optional(100),
        province: optional(100),
        city: optional(100),
        district: optional(100),
        detail: optional(500),
      }),
      { country: null, province: null, city: null, district: null, detail: null },
    ),
    registrationDate: Day,
    registrationStore: optional(32),
    tncVersion: optional(32),
    tncAcceptedAt: z._default(z.nullable(Instant), null),
    marketingOptIn: z._default(z.boolean(), false),
    customFields: z._default(z.record(z.string(), CustomValue), {}),
  })
  .check(
    z.refine((m) => (m.countryCode === null) === (m.mobile === null), {
      path: ['mobile'],
      params: { reason: 'required' },
    }),
  )
export type NewMember = z.infer<typeof NewMember>

// A member is born with the keys that find them, an account and the lowest tier, in one statement: no
// reader ever meets one without.
const insert = statement(
  `with born as (
     insert into member (company_id, member_id, member_code, uni_customer_no, card_number, first_name,
       last_name, gender, birthday, country_code, mobile, email, address, registration_date,
       registration_store, tnc_version, tnc_accepted_at, marketing_opt_in, custom_fields)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     returning member_id
   ), keys as (
     insert into member_key (company_id, kind, value, member_id)
     select $1, kind, value, member_id from born, unnest($20::text[], $21::text[]) k (kind, value)
   ), account as (
     insert into point_account (company_id, member_id) select $1, member_id from born
   )
   insert into member_tier (company_id, member_id, tier_code, start_date)
   select $1, member_id, t.tier_code, $14 from born, lateral (
     select tier_code from tier where company_id = $1 and not stopped order by level limit 1
   ) t`,
  z.unknown(),
)

/**
 * Makes a member who can be found, has no points yet and stands on the lowest tier, which never ends.
 * @returns the member's id
 * @throws a database error 23505 when a code, card, customer number, mobile or e-mail is another's
 */
export async function createMember(
  tx: Transaction,
  company: { id: string },
  member: NewMember,
): Promise<string> {
  const id = newId()
  const keys = keysOf(member)
  const made = await tx.run(insert, [
    company.id,
    id,
    member.memberCode,
    member.uniCustomerNo,
    member.cardNumber,
    member.firstName,
    member.lastName,
    member.gender,
    member.birthday,
    member.countryCode,
    member.mobile,
    member.email,
    member.address,
    member.registrationDate,
    member.registrationStore,
    member.tncVersion,
    member.tncAcceptedAt,
    member.marketingOptIn,
    member.customFields,
    keys.map(([kind]) => kind),
    keys.map(([, value]) => value),
  ])
  if (made !== 1) throw new Error('the company has no tier to begin on')
  return id
}

function keysOf(member: NewMember): [KeyKind, string][] {
  const keys: [KeyKind, string][] = [
    ['code', codeKey(member.memberCode)],
    ['card', codeKey(member.cardNumber)],
    ['uni', codeKey(member.uniCustomerNo)],
  ]
  if (member.email !== null) keys.push(['email', emailKey(member.email)])
  if (member.countryCode !== null && member.mobile !== null) {
    keys.push(['mobile', mobileKey(member.countryCode, member.mobile)])
  }
  return keys
}
