import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { newId } from '../../values/id.ts'
import type { EntryOrigin, LockedAccount } from '../ledger.ts'

const insertForgiven = statement('select add_forgiven($1, $2, $3, $4, $5, $6, $7, $8)', z.unknown())

/**
 * Records points that a return should have taken, but that the member no longer had. The report of
 * the books shows them; no balance changes.
 * @param points below 0: forgiven earlier, and settled now by an undo or another return
 */
export async function recordForgiven(
  { tx, companyId, memberId }: LockedAccount,
  points: number,
  { transactionId, storeCode, at, invoiceNumber }: EntryOrigin,
): Promise<void> {
  if (points === 0) return
  const of = [companyId, memberId, newId(), points, transactionId, storeCode, at, invoiceNumber]
  await tx.run(insertForgiven, of)
}
