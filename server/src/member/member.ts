import type { Member } from '@tillside/contract/member'
import { genders } from '@tillside/contract/wire/codes'
import type { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { type Settings, textIn } from '../company/definition.ts'
import { tierIn, type Tiers, tiersOf } from '../company/ladder.ts'
import { settingsOf } from '../company/settings.ts'
import { storeIn, storeNamesOf } from '../company/stores.ts'
import { maskedEmail, maskedMobile } from '@tillside/contract/rules/person'
import { statement, type Transaction } from '../database/database.ts'
import { Address, addressLine } from './address.ts'

/** The columns of `member`; `m` is its alias. */
export const profileColumns = `m.member_id, m.member_code, m.uni_customer_no, m.card_number,
  m.first_name, m.last_name, m.gender, m.birthday, m.country_code, m.mobile, m.email, m.address,
  m.registration_date, m.registration_store, m.tnc_version, m.tnc_accepted_at, m.marketing_opt_in,
  m.custom_fields, m.version`

/** The columns of a member row; `mt` is an alias of `member_tier`. */
export const memberColumns = `${profileColumns}, mt.tier_code, mt.expiry_date as tier_expiry`

/** SQL: joins the table of the other columns. @param member expression for the member's id */
export function joinTier(member: string): string {
  return `join member_tier mt on mt.company_id = $1 and mt.member_id = ${member}`
}

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
  tnc_version: z.nullable(z.string()),
  tnc_accepted_at: z.nullable(z.string()),
  marketing_opt_in: z.boolean(),
  custom_fields: z.record(
    z.string(),
    z.nullable(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  ),
  version: z.int(),
  tier_code: z.string(),
  tier_expiry: z.nullable(z.string()),
})
export type MemberRow = z.infer<typeof MemberRow>

type Viewer = { language: Language; today: string; isSystem: boolean }

/** What the company's definition says about the codes in a member's row. */
export type MemberTerms = {
  settings: Settings
  tiers: Tiers
  stores: ReadonlyMap<string, string>
}

/** Returns the terms at the revision that this request has read. */
export async function memberTermsOf(
  tx: Transaction,
  company: { id: string; revision: number },
): Promise<MemberTerms> {
  const [settings, tiers, stores] = await Promise.all([
    settingsOf(tx, company),
    tiersOf(tx, company),
    storeNamesOf(tx, company),
  ])
  return { settings, tiers, stores }
}

/**
 * The member as the contract defines it, in the caller's language.
 * @param today the company's day
 * @throws Outdated if the row has a tier that was added since this request read the revision
 */
export async function memberOf(
  row: MemberRow,
  { settings, tiers, stores }: MemberTerms,
  { language, today, isSystem }: Viewer,
): Promise<Member> {
  const tier = tierIn(tiers, row.tier_code)
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
    registrationStore: storeIn(stores, row.registration_store),
    tnc: {
      acceptedVersion: row.tnc_version,
      acceptedAt: row.tnc_accepted_at === null ? null : toInstant(row.tnc_accepted_at),
      currentVersion: current,
      needsResign: row.tnc_version !== current,
    },
    marketingOptIn: row.marketing_opt_in,
    tier: {
      code: tier.code,
      name: textIn(tier.names, language, settings),
      level: tier.level,
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
  `select ${memberColumns} from member m ${joinTier('$2')}
   where m.company_id = $1 and m.member_id = $2`,
  MemberRow,
)

/** Reads a member after a change in the same transaction. */
export async function readMember(
  context: Viewer & { tx: Transaction; company: { id: string; revision: number } },
  memberId: string,
): Promise<Member> {
  const { tx, company } = context
  const [row, terms] = await Promise.all([
    tx.one(readById, [company.id, memberId]),
    memberTermsOf(tx, company),
  ])
  return memberOf(row, terms, context)
}
