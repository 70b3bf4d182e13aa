import * as z from 'zod/mini'
import type { Caller } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'

// send.ts limits the codes per contact. These limits keep one clerk, or a stolen session, from
// sending codes to many contacts, which costs the company money. Each number is the size of a burst
// and also the number of codes gained per hour.
const hourSeconds = 3_600
const anHour = { staff: 60, company: 2_000 } as const

// Each code moves `paid_until` forward by its share of an hour. A time in the past is replaced by
// now.
const spend = statement(
  `insert into code_allowance as a (company_id, holder, paid_until)
   values ($1, $2, clock_timestamp() + make_interval(secs => $3))
   on conflict (company_id, holder) do update set
     paid_until = greatest(seconds_after(a.paid_until, $3), excluded.paid_until)`,
  z.unknown(),
)

const read = statement(
  `select greatest(extract(epoch from paid_until - clock_timestamp()), 0)::float8 as ahead
   from code_allowance where company_id = $1 and holder = $2`,
  z.object({ ahead: z.number() }),
)

type Sender = Pick<Caller, 'company' | 'staff'>

/** Holders, and the seconds of an hour that one of their codes uses. */
function sharesOf({ company, staff }: Sender): { holder: string; seconds: number }[] {
  return [
    { holder: staff.id, seconds: hourSeconds / anHour.staff },
    { holder: company.id, seconds: hourSeconds / anHour.company },
  ]
}

/**
 * Reads the allowance of the clerk and of the company. It locks and takes nothing.
 * @returns seconds until a code may be sent, 0 for now
 */
export async function waitForCodeAllowance(tx: Transaction, sender: Sender): Promise<number> {
  const shares = sharesOf(sender)
  const waits = await Promise.all(
    shares.map(async ({ holder, seconds }) => {
      const row = await tx.maybe(read, [sender.company.id, holder])
      return Math.ceil((row?.ahead ?? 0) + seconds - hourSeconds)
    }),
  )
  return Math.max(0, ...waits)
}

/**
 * Takes one code from the allowance of the clerk and of the company. The rows' locks make the count
 * exact with any number of processes; a rollback returns the code.
 * @returns seconds until the code may be sent, 0 for now. Above 0 the transaction must not commit.
 */
export async function takeCodeAllowance(tx: Transaction, sender: Sender): Promise<number> {
  const shares = sharesOf(sender)
  // Sent together; the database runs the read after the others.
  const spent = shares.map(({ holder, seconds }) =>
    tx.run(spend, [sender.company.id, holder, seconds]),
  )
  const left = shares.map(({ holder }) => tx.one(read, [sender.company.id, holder]))
  const [taken] = await Promise.all([Promise.all(left), ...spent])
  return Math.max(0, ...taken.map(({ ahead }) => Math.ceil(ahead - hourSeconds)))
}
