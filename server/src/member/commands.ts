import type { Command } from 'commander'
import * as z from 'zod/mini'
import { companyNamed } from '../company/find.ts'
import { jsonCommand, print, withDatabase } from '../kit/command.ts'
import { emailKey, mobileKey } from '../kit/contact.ts'
import { statement, type Transaction } from '../kit/database.ts'
import { codeKey } from './key.ts'

const findByKeys = statement(
  `select distinct m.member_code, m.card_number, m.uni_customer_no, m.first_name, m.last_name,
     m.country_code, m.mobile, m.email, m.registration_date, mt.tier_code
   from unnest($2::text[], $3::text[]) as asked (kind, value)
   join member_key k on k.company_id = $1 and k.kind = asked.kind and k.value = asked.value
   join member m using (company_id, member_id)
   join member_tier mt using (company_id, member_id)
   order by m.member_code`,
  z.object({
    member_code: z.string(),
    card_number: z.string(),
    uni_customer_no: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    country_code: z.nullable(z.string()),
    mobile: z.nullable(z.string()),
    email: z.nullable(z.string()),
    registration_date: z.string(),
    tier_code: z.string(),
  }),
)

/**
 * The members that a text names as code, card, customer number, e-mail or +mobile; one index probe
 * each.
 */
async function findMembers(tx: Transaction, companyId: string, text: string) {
  const international = /^\+([1-9]\d*)$/.exec(text.replaceAll(/[\s().-]/g, ''))
  const keys: [string, string][] = [
    ['code', codeKey(text)],
    ['card', codeKey(text)],
    ['uni', codeKey(text)],
    ['email', emailKey(text)],
    ...(international === null
      ? []
      : [['mobile', mobileKey(international[1] ?? '', '')] as [string, string]]),
  ]
  const kinds = keys.map(([kind]) => kind)
  const values = keys.map(([, value]) => value)
  const rows = await tx.all(findByKeys, [companyId, kinds, values])
  return rows.map((row) => ({
    memberCode: row.member_code,
    cardNumber: row.card_number,
    uniCustomerNo: row.uni_customer_no,
    firstName: row.first_name,
    lastName: row.last_name,
    mobile: row.mobile === null ? null : `+${row.country_code} ${row.mobile}`,
    email: row.email,
    registrationDate: row.registration_date,
    tier: row.tier_code,
  }))
}

/** `tillside member …` */
export function registerMembers(program: Command): void {
  const member = program.command('member').description('loyalty members')
  jsonCommand(
    member,
    'find <company> <text>',
    'find by member code, card number, customer number, e-mail or +mobile',
  ).action(async (identifier: string, text: string, { json }: { json?: boolean }) => {
    const found = await withDatabase(async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return database.transaction(id, (tx) => findMembers(tx, id, text))
    })
    if (found.length === 0) throw new Error(`${identifier} has no member "${text}"`)
    const lines = found.flatMap((m) =>
      Object.entries(m).map(([name, value]) => `${name.padEnd(16)}  ${value ?? '-'}`),
    )
    print(json, found, lines)
  })
}
