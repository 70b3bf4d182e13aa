import type { Input, Data } from '@tillside/contract/wire/endpoint'
import type { getOneCustomer } from '@tillside/contract/member'
import * as z from 'zod/mini'
import { emailKey, mobileKey } from '../values/contact.ts'
import type { Context, KnownMembers } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { Fail } from '../text/fail.ts'
import { codeKey, type KeyKind } from './key.ts'
import { memberOf, MemberRow, memberTermsOf, profileColumns } from './member.ts'

// The key and the member can be on different nodes, which no statement can join. So the function
// has a form for one PostgreSQL and one for several nodes, and a look-up takes one round trip.
const findByKey = statement(
  `select ${profileColumns}, m.tier_code, m.tier_expiry from find_member($1, $2, $3) m`,
  MemberRow,
)
const readIdByKey = statement(
  'select member_id from member_key where company_id = $1 and kind = $2 and value = $3',
  z.object({ member_id: z.string() }),
)

const findById = statement(
  'select from member where company_id = $1 and member_id = $2',
  z.unknown(),
)

type LookUp = typeof getOneCustomer

/**
 * Finds a member by any kind of key.
 * @param known remembers the member: the calls that follow name it by the code
 */
export async function findByQuery(
  tx: Transaction,
  companyId: string,
  query: Input<LookUp>,
  known: KnownMembers,
): Promise<MemberRow | null> {
  const key = keyOf(query)
  const row = await tx.maybe(findByKey, [companyId, key.kind, key.value()])
  if (row !== null) known.learn(codeKey(row.member_code), row.member_id)
  return row
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
  return memberOf(row, await memberTermsOf(context.tx, context.company), context)
}

/** A key of a member: its kind, and its value as `member_key` has it. */
export type Key = { kind: KeyKind; value: () => string }

/** The key that a query has; its value is computed on demand, as a mobile number takes long. */
export function keyOf(query: Input<typeof getOneCustomer>): Key {
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

/**
 * Returns the id for a key of a member, or null.
 * @param known may have the id for a code already, and otherwise remembers it
 */
export async function findIdByKey(
  tx: Transaction,
  companyId: string,
  { kind, value }: Key,
  known?: KnownMembers,
): Promise<string | null> {
  const key = value()
  const ids = kind === 'code' ? known : undefined
  const recalled = ids?.recall(key)
  if (recalled !== undefined) return recalled
  const row = await tx.maybe(readIdByKey, [companyId, kind, key])
  if (row === null) return null
  ids?.learn(key, row.member_id)
  return row.member_id
}

/** The same for a member code. */
export async function findMemberId(
  tx: Transaction,
  companyId: string,
  memberCode: string,
  known?: KnownMembers,
): Promise<string | null> {
  return findIdByKey(tx, companyId, { kind: 'code', value: () => codeKey(memberCode) }, known)
}

/**
 * Reads a member by a key of which the process remembers only a hint. `read` then starts with the
 * hint, in the same burst as `find`; its result is discarded unless the key still has this id.
 * @param key the kind of the key and its value
 * @param find returns the id for the key, or null
 */
export async function readByHint<T>(
  known: KnownMembers,
  key: string,
  find: () => Promise<string | null>,
  read: (memberId: string | null) => Promise<T>,
): Promise<T> {
  const hint = known.hint(key)
  const finding = find()
  const reading = hint === undefined ? undefined : read(hint)
  const [found, result] = await Promise.allSettled([finding, reading])
  if (found.status === 'rejected') throw found.reason
  const id = found.value
  if (id !== null && id !== hint) known.keepHint(key, id)
  if (reading === undefined || id !== hint) return read(id)
  if (result.status === 'rejected') throw result.reason
  return reading
}

type Named = { memberCode: string }

/** How the input of a call names a member by code, for `atOnceOr`. */
export const namedMember = {
  recall: ({ memberCode }: Named, known: KnownMembers): string | undefined =>
    known.recall(codeKey(memberCode)),
  find: (
    tx: Transaction,
    companyId: string,
    { memberCode }: Named,
    _staffId: string,
    known: KnownMembers,
  ): Promise<string | null> => findMemberId(tx, companyId, memberCode, known),
}

/**
 * The options of `serve` for a read-only verb whose input names a member by code. The verb gets the
 * id; null when there is none.
 */
export const ofNamedMember = { readOnly: true, readAhead: namedMember.find } as const

/** The member whom such a verb is about, for `standby`. */
export const foundMember = (memberId: string | null): string | null => memberId

/**
 * Runs `read` for a member, in the same burst as the statement that makes sure that the member
 * exists: the process may remember one that the database has lost, after a restore.
 * @throws Refusal `memberUnknown`
 */
export async function readIfKnown<T>(
  { tx, company, fail }: Pick<Context, 'tx' | 'company'> & { fail: Fail<'memberUnknown'> },
  memberId: string | null,
  read: (memberId: string) => Promise<T>,
): Promise<T> {
  if (memberId === null) return fail('memberUnknown')
  const finding = tx.maybe(findById, [company.id, memberId])
  const [found, result] = await Promise.allSettled([finding, read(memberId)])
  if (found.status === 'rejected') throw found.reason
  if (found.value === null) return fail('memberUnknown')
  if (result.status === 'rejected') throw result.reason
  return result.value
}
