import { randomUUID } from 'node:crypto'
import type { getOneCustomer, revealContact, searchByName } from '@tillside/contract/member'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { settingsOf } from '../company/settings.ts'
import type { Context, KnownMembers } from '../database/context.ts'
import type { Transaction } from '../database/database.ts'
import { findByQuery, findMemberId, lookUp } from '../member/look-up.ts'
import type { MemberRow } from '../member/member.ts'
import { findNames, foldedName } from '../member/names/search.ts'
import { reveal } from '../member/reveal.ts'
import { noteSight } from '../staff/throttle/sights.ts'
import { admit, admitSearch, type Seen, seenAhead } from './seen.ts'

type Found = { row: MemberRow | null; seen: Seen | null }

/** The first query of a look-up: the member, and the members that this clerk has seen. */
export async function findAndCount(
  tx: Transaction,
  companyId: string,
  query: Input<typeof getOneCustomer>,
  staffId: string,
  known: KnownMembers,
): Promise<Found> {
  const [row, seen] = await Promise.all([
    findByQuery(tx, companyId, query, known),
    seenAhead(tx, companyId, staffId),
  ])
  return { row, seen }
}

/** The member that a look-up is about, for `standby`. */
export const foundRow = ({ row }: Found): string | null => row?.member_id ?? null

/** Looks a member up, within the allowance of the clerk. */
export async function lookUpWithin(
  context: Context<typeof getOneCustomer>,
  query: Input<typeof getOneCustomer>,
  { row, seen }: Found,
): Promise<Data<typeof getOneCustomer>> {
  const settings = await settingsOf(context.tx, context.company)
  await admit(context, settings, row?.member_id ?? null, seen)
  return lookUp(context, query, row)
}

/** Searches by a name; each search counts as one look-up. */
export async function searchWithin(
  context: Context<typeof searchByName>,
  input: Input<typeof searchByName>,
): Promise<Data<typeof searchByName>> {
  const [beginning, settings] = await Promise.all([
    foldedName(context, input),
    settingsOf(context.tx, context.company),
  ])
  const search = randomUUID()
  await admitSearch(context, settings, search)
  return findNames(context, beginning, search)
}

/** Reveals a contact, within the same allowance. */
export async function revealWithin(
  context: Context<typeof revealContact>,
  input: Input<typeof revealContact>,
): Promise<Data<typeof revealContact>> {
  const { tx, company, staff } = context
  const [memberId, settings] = await Promise.all([
    findMemberId(tx, company.id, input.memberCode),
    settingsOf(tx, company),
  ])
  await admit(context, settings, memberId)
  if (memberId !== null) noteSight(tx, company.id, staff.id, memberId)
  return reveal(context, input)
}
