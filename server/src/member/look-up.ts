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
  const key = keyOf(query)
  return tx.maybe(findByKey, [companyId, key.kind, key.value()])
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
  const { kind: by } = keyOf(query)
  const details = { by, found: row !== null }
  context.changed({ action: 'member.lookUp', memberId: row?.member_id ?? null, details })
  if (row === null) return context.fail('memberUnknown')
  const settings = await settingsOf(context.tx, context.company)
  return memberOf(row, settings, context)
}

/** The key that a query has; its value is computed on demand, as a mobile number takes long. */
function keyOf(query: Input<typeof getOneCustomer>): { kind: KeyKind; value(): string } {
  const { cardNumber, code, uniCustomerNo, email, mobile, countryCode } = query
  if (cardNumber !== undefined) return { kind: 'card', value: () => codeKey(cardNumber) }
  if (code !== undefined) return { kind: 'code', value: () => codeKey(code) }
  if (uniCustomerNo !== undefined) return { kind: 'uni', value: () => codeKey(uniCustomerNo) }
  if (email !== undefined) return { kind: 'email', value: () => emailKey(email) }
  if (mobile !== undefined && countryCode !== undefined) {
    return { kind: 'mobile', value: () => mobileKey(countryCode, mobile) }
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
