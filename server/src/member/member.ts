import type { Member } from '@tillside/contract/member'
import { genders } from '@tillside/contract/wire/codes'
import type { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { type Settings, Texts, textIn } from '../company/definition.ts'
import { maskedEmail, maskedMobile } from '@tillside/contract/rules/person'
import { statement, type Transaction } from '../database/database.ts'
import { Address, addressLine } from './address.ts'

/** The columns of a member row; `m`, `mt`, `t` and `st` are table aliases. */
export const memberColumns = `m.member_id, m.member_code, m.uni_customer_no, m.card_number, 
  m.first_name, m.last_name, m.gender, m.birthday, m.country_code, m.mobile, m.email, m.address,
  m.registration_date, m.registration_store, st.name as store_name, m.tnc_version,
  m.tnc_accepted_at, m.marketing_opt_in,
  m.custom_fields, m.version, t.tier_code, t.level, t.names as tier_names,
  mt.expiry_date as tier_expiry`

/** SQL: joins the tables of the other columns. @param member expression for the member's id */
export function joinsOf(member: string): string {
  return `join member_tier mt on mt.company_id = $1 and mt.member_id = ${member} ${ofTier}`
}
const ofTier = `join tier t on t.company_id = mt.company_id and t.tier_code = mt.tier_code
  left join store st on st.company_id = m.company_id and st.store_code = m.registration_store`
export const memberJoins = `join member_tier mt using (company_id, member_id) ${ofTier}`

export const MemberRow = z.object({
  member_id: z.string(),
  member_code: z.string(),
  uni_customer_no: z.string(),
  card_number: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  gender: z.nullable(z.enum(genders)),
  birthday: z.nullable(z.string()),
  country_code: z.nullable(z.string()),
  mobile: z.nullable(z.string()),
  email: z.nullable(z.string()),
  address: Address,
  registration_date: z.string(),
  registration_store: z.nullable(z.string()),
  store_name: z.nullable(z.string()),
  tnc_version: z.nullable(z.string()),
  tnc_accepted_at: z.nullable(z.string()),
  marketing_opt_in: z.boolean(),
  custom_fields: z.record(
    z.string(),
    z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  ),
  version: z.int(),
  tier_code: z.string(),
  level: z.int(),
  tier_names: Texts,
  tier_expiry: z.nullable(z.string()),
})
export type MemberRow = z.infer<typeof MemberRow>

type Viewer = { language: Language; today: string; isSystem: boolean }

/**
 * The member as the contract defines it, in the caller's language.
 * @param today the company's day
 */
export async function memberOf(
  row: MemberRow,
  settings: Settings,
  { language, today, isSystem }: Viewer,
): Promise<Member> {
  const current = settings.terms.version
  const masked = settings.maskContacts && !isSystem
  return {
    memberCode: row.member_code,
    uniCustomerNo: row.uni_customer_no,
    cardNumber: row.card_number,
    firstName: row.first_name,
    lastName: row.last_name,
    gender: row.gender,
    birthday: row.birthday,
    countryCode: row.country_code,
    mobile: masked ? row.mobile && maskedMobile(row.mobile) : row.mobile,
    email: masked ? row.email && maskedEmail(row.email) : row.email,
    address: row.address,
    addressLine: await addressLine(row.address, language),
    registrationDate: row.registration_date,
    registrationStore:
      row.registration_store === null
        ? null
        : { code: row.registration_store, name: row.store_name ?? row.registration_store },
    tnc: {
      acceptedVersion: row.tnc_version,
      acceptedAt: row.tnc_accepted_at === null ? null : toInstant(row.tnc_accepted_at),
      currentVersion: current,
      needsResign: row.tnc_version !== current,
    },
    marketingOptIn: row.marketing_opt_in,
    tier: {
      code: row.tier_code,
      name: textIn(row.tier_names, language, settings),
      level: row.level,
      endedOn: hasEnded(row.tier_expiry, today) ? row.tier_expiry : null,
    },
    customFields: row.custom_fields,
    version: row.version,
  }
}

/** Whether a tier's period ended before today, so that the next review decides about it. */
export function hasEnded(expiryDate: string | null, today: string): boolean {
  return expiryDate !== null && expiryDate < today
}

/** Cuts fractions of a second: the contract's instants have none. */
export function toInstant(timestamp: string): string {
  return `${timestamp.slice(0, 19)}Z`
}

const readById = statement(
  `select ${memberColumns} from member m ${joinsOf('$2')}
   where m.company_id = $1 and m.member_id = $2`,
  MemberRow,
)

/** Reads a member after a change in the same transaction. */
export async function readMember(
  context: Viewer & { tx: Transaction; company: { id: string } },
  memberId: string,
  settings: Settings,
): Promise<Member> {
  const row = await context.tx.one(readById, [context.company.id, memberId])
  return memberOf(row, settings, context)
}
