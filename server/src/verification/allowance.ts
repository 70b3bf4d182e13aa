import * as z from 'zod/mini'
import type { Caller } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'

// A number has its minute and its day (send.ts). These keep one clerk, or a stolen session, from
// having codes sent to ever new numbers, which somebody pays for: so many at once, and as many
// again an hour.
const hourSeconds = 3_600
const anHour = { staff: 60, company: 2_000 } as const

// Each code moves the moment on by its share of an hour; a row that was used up long ago begins
// now.
const spend = statement(
  `insert into code_allowance as a (company_id, holder, paid_until)
   values ($1, $2, clock_timestamp() + make_interval(secs => $3))
   on conflict (company_id, holder) do update set
     paid_until = greatest(a.paid_until, clock_timestamp()) + make_interval(secs => $3)
   returning extract(epoch from paid_until - clock_timestamp())::float8 as ahead`,
  z.object({ ahead: z.number() }),
)

/**
 * Takes one code from what the clerk and the company may send. The rows' locks make it exact on
 * however many processes, and a roll-back gives it back.
 * @returns seconds until it may be sent; 0 is now. Above 0 the transaction must not commit.
 */
export async function takeCodeAllowance(
  tx: Transaction,
  { company, staff }: Pick<Caller, 'company' | 'staff'>,
): Promise<number> {
  const takes = (holder: string, most: number) =>
    tx.one(spend, [company.id, holder, hourSeconds / most])
  const taken = await Promise.all([
    takes(staff.id, anHour.staff),
    takes(company.id, anHour.company),
  ])
  return Math.max(0, ...taken.map(({ ahead }) => Math.ceil(ahead - hourSeconds)))
}
