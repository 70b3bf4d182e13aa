import type * as z from 'zod/mini'
import { type Statement, statement } from '../database/database.ts'

/**
 * The kinds of keys by which a member is found; each is a row of `member_key` with a normalised
 * value.
 */
export type KeyKind = 'code' | 'card' | 'mobile' | 'email' | 'uni'

/** Normalises codes, card numbers and customer numbers: upper case, without spaces and hyphens. */
export function codeKey(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s-]/g, '').toUpperCase()
}

/** A member's id or, before any statement has found it, the member's code by `codeKey`. */
export type WhichMember = string | { key: string }

/** A statement about one member in two forms; `$1` is the company, `$2` the id or the key. */
export type MemberStatement<Row> = { byId: Statement<Row>; byKey: Statement<Row> }

/**
 * Declares a statement about one member, named by the id or by the code.
 *
 * The form with the code joins `member_key` to the member's data, so that a read does not wait for
 * the id: all its statements are one round trip. The join is outermost and hands over nothing but
 * the id, so it can be split: the form with the id is the same text, takes the company and the
 * member, and runs on the member's node. Where a company has several servers, `serve` finds the key
 * first and sends that form.
 * @param text makes the SQL; its argument is the SQL of the member's id. An order has to be the
 *   subquery's own, so a list ends with `order by`.
 */
export function memberStatement<Row>(
  text: (member: string) => string,
  row: z.ZodMiniType<Row>,
): MemberStatement<Row> {
  const byKey = `select found.* from member_key k cross join lateral (${text('k.member_id')}) found
   where k.company_id = $1 and k.kind = 'code' and k.value = $2`
  return { byId: statement(text('$2'), row), byKey: statement(byKey, row) }
}

/** The form of a statement that names the member as `member` does, with all its values. */
export function about<Row>(
  { byId, byKey }: MemberStatement<Row>,
  companyId: string,
  member: WhichMember,
  ...values: unknown[]
): [Statement<Row>, unknown[]] {
  return typeof member === 'string'
    ? [byId, [companyId, member, ...values]]
    : [byKey, [companyId, member.key, ...values]]
}
