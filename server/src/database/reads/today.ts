/**
 * The SQL of the company's clock, a timestamptz: the transaction's `now()`. Only the clock of a
 * practice company can be ahead of it (`jobs/test-clock.ts`).
 * @param company the SQL name of the row of `company`
 */
export function nowSql(company: string): string {
  return `(now() + ${company}.clock_ahead)`
}

/**
 * The SQL of the company's calendar day by its clock, a date.
 * @param company the SQL name of the row of `company`
 */
export function todaySql(company: string): string {
  return `(${nowSql(company)} at time zone ${company}.time_zone)::date`
}
