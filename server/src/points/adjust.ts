import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import {
  type AddedEntry,
  addDebit,
  addEarning,
  type EntryOrigin,
  type LockedAccount,
} from './ledger.ts'
import { lifeOf } from './earn.ts'
import { lotsToSpend, lotsToTakeBack, sum } from './lots.ts'

/** Entry types that change a balance without a sale or a redemption; each one needs a reason. */
export const adjustmentTypes = [
  'adjustmentUp',
  'adjustmentDown',
  'specialAdd',
  'specialDeduct',
  'transferIn',
  'transferOut',
] as const
export type AdjustmentType = (typeof adjustmentTypes)[number]

export type Adjustment = {
  type: AdjustmentType
  /** Number of points, above 0; the type decides the sign. */
  points: number
  /** The company's day on which the adjustment counts. */
  day: string
  /** Source and time of the entry; the history shows `description` as the reason. */
  origin: EntryOrigin & { description: string }
}

export type Adjusted =
  | { outcome: 'adjusted'; entry: AddedEntry }
  /** The member has too few points of the kind that may be taken. */
  | { outcome: 'refused'; reason: 'pointsAboveBalance' }

/**
 * Adjusts a balance with a separate entry. Added points can be spent at once and expire like points
 * earned on that day. A deduction may take pending points; a transfer to another country may not. A
 * refusal writes nothing.
 */
export async function adjust(
  account: LockedAccount,
  { type, points, day, origin }: Adjustment,
  rules: Settings['points'],
): Promise<Adjusted> {
  switch (type) {
    case 'adjustmentUp':
    case 'specialAdd':
    case 'transferIn': {
      const life = lifeOf(day, { ...rules, pendingDays: 0 })
      const entry = await addEarning(account, { ...origin, type, points, earnDate: day, ...life })
      return { outcome: 'adjusted', entry }
    }
    case 'adjustmentDown':
    case 'specialDeduct':
    case 'transferOut': {
      const takes =
        type === 'transferOut'
          ? await lotsToSpend(account, points, day)
          : await lotsToTakeBack(account, points, day)
      if (takes === null || sum(takes) < points) {
        return { outcome: 'refused', reason: 'pointsAboveBalance' }
      }
      const debit = { type, points, earnDate: null, expiryDate: null, reverses: null }
      return { outcome: 'adjusted', entry: await addDebit(account, { ...origin, ...debit }, takes) }
    }
  }
}

const eraseWords = statement(
  `update point_entry set description = null
   where company_id = $1 and member_id = $2 and description is not null`,
  z.unknown(),
)

/**
 * Erases the descriptions of an erased member's entries: people typed them. Only the database's
 * owner may do this; the program's role cannot update entries.
 */
export async function forgetPointReasons(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await tx.run(eraseWords, [companyId, memberId])
}
