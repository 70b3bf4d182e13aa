/**
 * The SQL of the company's calendar day at the transaction's `now()`, a date.
 * @param zone the SQL of the company's time zone, an IANA name
 */
export function todaySql(zone: string): string {
  return `(now() at time zone ${zone})::date`
}
