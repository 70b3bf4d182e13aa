import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { refillPractice } from './fill.ts'

/** Shops are closed at this hour of the company's time zone. */
const resetHour = 3

// The time of the last run shifts by the hour, so that a night begins a new day.
const readDue = statement(
  `select practice and ($2::timestamptz is null
       or ($2::timestamptz at time zone time_zone - make_interval(hours => $3))::date
        < (now() at time zone time_zone - make_interval(hours => $3))::date) as due
   from company where company_id = $1`,
  z.object({ due: z.boolean() }),
)

/**
 * Makes the data of a practice company again, once for each night; other companies are left alone.
 * One transaction: a killed process leaves the data of the day before.
 * @param tx a transaction of the database's owner
 * @param finishedAt when this last ran; null: never, or the operator wants it now
 * @returns the number of members made, 0 when it is not due
 */
export async function resetPractice(
  tx: Transaction,
  company: { id: string },
  finishedAt: string | null,
): Promise<number> {
  const { due } = await tx.one(readDue, [company.id, finishedAt, resetHour])
  return due ? refillPractice(tx, company.id) : 0
}
