import type { Input, Data } from '@tillside/contract/wire/endpoint'
import type { getOneCustomer } from '@tillside/contract/member'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { emailKey, mobileKey } from '../values/contact.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { codeKey, type KeyKind } from './key.ts'
import { memberColumns, memberJoins, memberOf, MemberRow } from './member.ts'

const findByKey = statement(
  `select ${memberColumns}
   from member_key k join member m using (company_id, member_id) ${memberJoins}
   where k.company_id = $1 and k.kind = $2 and k.value = $3`,
  MemberRow,
)
const findIdByCode = statement(
  `select member_id from member_key where company_id = $1 and kind = 'code' and value = $2`,
  z.object({ member_id: z.string() }),
)

type LookUp = typeof getOneCustomer

/** Finds a member by any kind of key, with one index lookup. */
export function findByQuery(
  tx: Transaction,
  companyId: string,
  query: Input<LookUp>,
): Promise<MemberRow | null> {
  return tx.maybe(findByKey, [companyId, ...keyOf(query)])
}

/**
 * Answers the member that `findByQuery` found. Each look-up writes an audit row, without the key
 * that was typed.
 */
export async function lookUp(
  context: Context<LookUp>,
  query: Input<LookUp>,
  row: MemberRow | null,
): Promise<Data<LookUp>> {
  const [by] = keyOf(query)
  const details = { by, found: row !== null }
  context.changed({ action: 'member.lookUp', memberId: row?.member_id ?? null, details })
  if (row === null) return context.fail('memberUnknown')
  const settings = await settingsOf(context.tx, context.company)
  return memberOf(row, settings, context)
}

function keyOf(query: Input<typeof getOneCustomer>): [KeyKind, string] {
  if (query.cardNumber !== undefined) return ['card', codeKey(query.cardNumber)]
  if (query.code !== undefined) return ['code', codeKey(query.code)]
  if (query.uniCustomerNo !== undefined) return ['uni', codeKey(query.uniCustomerNo)]
  if (query.email !== undefined) return ['email', emailKey(query.email)]
  if (query.mobile !== undefined && query.countryCode !== undefined) {
    return ['mobile', mobileKey(query.countryCode, query.mobile)]
  }
  throw new Error('the contract requires one key in every query')
}

/** A `readAhead` query for endpoints whose input names a member by code. */
export function findNamedMember(
  tx: Transaction,
  companyId: string,
  { memberCode }: { memberCode: string },
): Promise<string | null> {
  return findMemberId(tx, companyId, memberCode)
}

/** Returns the id for a member code, or null. */
export async function findMemberId(
  tx: Transaction,
  companyId: string,
  memberCode: string,
): Promise<string | null> {
  const row = await tx.maybe(findIdByCode, [companyId, codeKey(memberCode)])
  return row?.member_id ?? null
}
