import { type PointType, pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { insertOf, insertRows } from '../database/insert.ts'
import { Outdated } from '../values/outdated.ts'
import { newId } from '../values/id.ts'
import { enqueueBy } from '../outbox/enqueue.ts'
import type { Take } from './lots.ts'

// The only code that writes entries, lots and burns, and the totals of an account. `createMember`
// creates the empty account together with the member. Entries are never changed. They are added
// under the lock of the member's account, so that the entries of one member have one order.

const lock = lockOf(
  'point_account',
  ['company_id', 'member_id'],
  `select balance, entries, merged from point_account
   where company_id = $1 and member_id = $2 for update`,
  z.object({ balance: z.int(), entries: z.int(), merged: z.boolean() }),
)
// Functions of the migrations 0071 and 0075.
const insertEntry = statement(
  `select seq, balance_after
   from append_entry($1, $2, $3, $5, $4, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
  z.object({ seq: z.int(), balance_after: z.int() }),
)
const insertLot = statement('select add_lot($1, $2, $3, $4, $5, $6, $7)', z.unknown())
const insertBurns = statement(
  'select burn_lots($1, $2, $3, $4, $5) as lots',
  z.object({ lots: z.int() }),
)

const insertAccounts = insertOf(
  'point_account (company_id, member_id)',
  '($1, $2)',
  '',
  z.unknown(),
)

/** Opens an empty account for each member. */
export function openAccounts(
  tx: Transaction,
  companyId: string,
  memberIds: readonly string[],
): Promise<unknown> {
  return insertRows(
    tx,
    insertAccounts,
    companyId,
    memberIds.map((id) => [id]),
  )
}

/** SQL: whether `column` is one of these entry types. */
export function typeIn(column: string, ...types: readonly PointType[]): string {
  return `${column} in (${types.map((type) => pointTypes[type].code).join(', ')})`
}

/** A member's account, locked by this transaction. Each added entry updates `balance`. */
export type LockedAccount = {
  tx: Transaction
  companyId: string
  memberId: string
  balance: number
  entries: number
}

/** The source of an entry, which the history shows with it. */
export type EntryOrigin = {
  /**
   * RFC 3339: when it happened. The history shows this time but is ordered by `seq`. Among lots
   * with the same expiry date, the one with the earlier time burns first.
   */
  at: string
  /** The money that earned the points or that they paid, a decimal string. */
  amount: string | null
  invoiceNumber: string | null
  storeCode: string | null
  staffId: string | null
  transactionId: string | null
  description: string | null
}

/** The origin of an entry without money, receipt, store and clerk; only its time is missing. */
export const noOrigin = {
  amount: null,
  invoiceNumber: null,
  storeCode: null,
  staffId: null,
  transactionId: null,
  description: null,
}

export type NewEntry = EntryOrigin & {
  type: PointType
  /** Number of points, above 0; the type decides the sign. */
  points: number
  earnDate: string | null
  expiryDate: string | null
  /** The id of the entry that this one reverses. */
  reverses: string | null
}

export type AddedEntry = { id: string; seq: number; balanceAfter: number }

/**
 * Locks the member's account row. Every change of a member's points begins with this lock.
 * @throws Error if the member has no account; `createMember` opens it
 * @throws Outdated if the member was merged into another one after the request had found them
 */
export async function lockAccount(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<LockedAccount> {
  const row = await tx.one(lock, [companyId, memberId])
  if (row.merged) throw new Outdated('the member was merged into another one')
  return { tx, companyId, memberId, balance: row.balance, entries: row.entries }
}

/** An entry that gives points, and the dates of their lot. */
export type Earning = Omit<NewEntry, 'expiryDate' | 'reverses'> & {
  activeFrom: string
  expiresOn: string | null
}

/**
 * Adds an entry that gives points, and their lot. If the balance is below zero, the points repay
 * this debt first.
 */
export async function addEarning(
  account: LockedAccount,
  earning: Earning & {
    /** The entry that it gives back; none for new points. */
    reverses?: string
    /** The id of entry and lot; a new one if it is left out. */
    id?: string
  },
): Promise<AddedEntry> {
  const { tx, companyId, memberId } = account
  const { activeFrom, expiresOn, id = newId(), reverses = null, ...entry } = earning
  const debt = Math.min(earning.points, Math.max(0, -account.balance))
  const terms = { expiryDate: expiresOn, reverses }
  const [added] = await Promise.all([
    append(account, id, { ...entry, ...terms }),
    tx.run(insertLot, [companyId, memberId, id, earning.points, earning.at, activeFrom, expiresOn]),
    // The entry burns the part of its own lot that repays the debt.
    debt === 0 ? null : burn(account, id, [{ lotId: id, points: debt }]),
  ])
  return added
}

/**
 * Adds an entry that takes points from these lots. If the lots hold fewer points than the entry,
 * the balance goes below zero.
 */
export async function addDebit(
  account: LockedAccount,
  entry: NewEntry,
  takes: readonly Take[],
): Promise<AddedEntry> {
  const id = newId()
  const [added] = await Promise.all([
    append(account, id, entry),
    takes.length === 0 ? null : burn(account, id, takes),
  ])
  return added
}

/**
 * Adds an entry that gives points back to the lots that a debit took them from; the lots keep their
 * dates. Its burns are negative, so the points missing from a lot are still the sum of its burns.
 * @param gives the lots and the points for each, above 0; in total less than the entry's points if
 *   a debt is repaid
 */
export async function addGiveBack(
  account: LockedAccount,
  entry: NewEntry,
  gives: readonly Take[],
): Promise<AddedEntry> {
  const id = newId()
  const burns = gives.map(({ lotId, points }) => ({ lotId, points: -points }))
  const [added] = await Promise.all([
    append(account, id, entry),
    burns.length === 0 ? null : burn(account, id, burns),
  ])
  return added
}

async function append(account: LockedAccount, id: string, entry: NewEntry): Promise<AddedEntry> {
  const expected = advance(account, entry)
  const { code, sign } = pointTypes[entry.type]
  const row = await account.tx.one(insertEntry, [
    account.companyId,
    account.memberId,
    id,
    sign * entry.points,
    code,
    entry.amount,
    entry.earnDate,
    entry.expiryDate,
    entry.invoiceNumber,
    entry.storeCode,
    entry.staffId,
    entry.transactionId,
    entry.reverses,
    entry.description,
    entry.at,
  ])
  return confirm(account, id, row, expected)
}

/** An entry's number in its account, and the balance after it. */
export type EntryPlace = z.infer<typeof insertEntry.row>

/**
 * Counts an entry that a function has added under the lock of this account.
 * @throws Outdated if the account had moved while it was locked
 */
export function follow(
  account: LockedAccount,
  id: string,
  entry: NewEntry,
  row: EntryPlace,
): AddedEntry {
  return confirm(account, id, row, advance(account, entry))
}

/** The place that the next entry of a locked account gets. */
function advance(account: LockedAccount, { type, points }: NewEntry): EntryPlace {
  if (!Number.isSafeInteger(points) || points <= 0) throw new Error(`an entry of ${points} points`)
  account.balance += pointTypes[type].sign * points
  account.entries += 1
  return { seq: account.entries, balance_after: account.balance }
}

function confirm(
  { tx, companyId, memberId }: LockedAccount,
  id: string,
  { seq, balance_after: balance }: EntryPlace,
  expected: EntryPlace,
): AddedEntry {
  if (seq !== expected.seq || balance !== expected.balance_after) {
    // The lock of a row does not outlast its move to another node of a cluster (decision 138).
    throw new Outdated('an account moved while it was locked')
  }
  enqueueEntries(tx, companyId, memberId, [id])
  return { id, seq, balanceAfter: balance }
}

const enqueue = statement('select enqueue_entries($1, $2, $3, $4, $5)', z.unknown())

/** Writes the event of each of these entries that the transaction has added. */
export function enqueueEntries(
  tx: Transaction,
  companyId: string,
  memberId: string,
  ids: readonly string[],
): void {
  enqueueBy(tx, enqueue, [companyId, memberId, ids])
}

async function burn(
  account: LockedAccount,
  entryId: string,
  takes: readonly Take[],
): Promise<void> {
  const { lots } = await account.tx.one(insertBurns, [
    account.companyId,
    account.memberId,
    entryId,
    takes.map((take) => take.lotId),
    takes.map((take) => take.points),
  ])
  if (lots !== takes.length) throw new Error('a burn named a lot twice or none')
}
