import type { Settings } from '../company/definition.ts'
import { type AddedEntry, addDebit, addEarning, type EntryOrigin, type Ledger } from './ledger.ts'
import { lifeOf } from './earn.ts'
import { lotsToSpend, lotsToTakeBack, sum } from './lots.ts'

/** What moves points without a sale or a redemption; each of these needs a reason. */
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
  /** How many, above 0; the type says the sign. */
  points: number
  /** The day on which it counts, the company's. */
  day: string
  /** Where it comes from and when; its description is the reason that the history shows. */
  origin: EntryOrigin & { description: string }
}

export type Adjusted =
  | { outcome: 'adjusted'; entry: AddedEntry }
  /** The member has fewer points that may be taken. */
  | { outcome: 'refused'; reason: 'pointsAboveBalance' }

/**
 * Corrects an account by an entry of its own. What is added can be spent at once and ends as points
 * earned that day would; what a company takes may still be pending, what leaves for another country
 * may not. A refusal writes nothing.
 */
export async function adjust(
  ledger: Ledger,
  { type, points, day, origin }: Adjustment,
  rules: Settings['points'],
): Promise<Adjusted> {
  switch (type) {
    case 'adjustmentUp':
    case 'specialAdd':
    case 'transferIn': {
      const life = lifeOf(day, { ...rules, pendingDays: 0 })
      const entry = await addEarning(ledger, { ...origin, type, points, earnDate: day, ...life })
      return { outcome: 'adjusted', entry }
    }
    case 'adjustmentDown':
    case 'specialDeduct':
    case 'transferOut': {
      const takes =
        type === 'transferOut'
          ? await lotsToSpend(ledger, points, day)
          : await lotsToTakeBack(ledger, points, day, null)
      if (takes === null || sum(takes) < points) {
        return { outcome: 'refused', reason: 'pointsAboveBalance' }
      }
      const debit = { type, points, earnDate: null, expiryDate: null, reverses: null }
      return { outcome: 'adjusted', entry: await addDebit(ledger, { ...origin, ...debit }, takes) }
    }
  }
}
