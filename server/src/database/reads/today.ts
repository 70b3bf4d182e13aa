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

/** The SQL of the clock of company `$1`, for a statement that does not read its row. */
export const companyNowSql = `(select ${nowSql('c')} from company c where c.company_id = $1)`

/** The SQL of the day of company `$1`, for a statement that does not read its row. */
export const companyTodaySql = `(select ${todaySql('c')} from company c where c.company_id = $1)`
