import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { changeEpoch } from './epoch.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'

// `greatest`: of two requests at once, the one for the earlier time changes nothing.
const advance = statement(
  `update company set clock_ahead = greatest(clock_ahead, $2::timestamptz - now())
   where company_id = $1 and practice`,
  z.unknown(),
)
const readClock = statement(
  `select ${nowSql('c')} as now, ${todaySql('c')} as today from company c where c.company_id = $1`,
  z.object({ now: z.string(), today: z.string() }),
)

/** The SQL of the clock of company `$1`, for a statement that does not read its row. */
export const companyNowSql = `(select ${nowSql('c')} from company c where c.company_id = $1)`

/** The SQL of the day of company `$1`, for a statement that does not read its row. */
export const companyTodaySql = `(select ${todaySql('c')} from company c where c.company_id = $1)`

/** The time of a company, RFC 3339 in UTC, and its day. */
export type CompanyTime = { now: string; today: string }

/** Moves the clock of a practice company forward; it never goes back. A real company stays. */
export async function advanceClock(
  tx: Transaction,
  companyId: string,
  to: string,
): Promise<CompanyTime> {
  changeEpoch(tx, companyId)
  const [, time] = await Promise.all([
    tx.run(advance, [companyId, to]),
    tx.one(readClock, [companyId]),
  ])
  return time
}
