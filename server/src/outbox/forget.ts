import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

/** The days for which events and the answers of their receivers are kept. */
export const eventDays = 30

// An event that a webhook has not got yet is kept for longer. The program before this one wrote
// events only into the outbox.
const forget = statement(
  `with old as (
     select v.member_id, v.seq from event v
     where v.company_id = $1 and v.created_at < now() - make_interval(days => ${eventDays})
       and not exists (
         select from webhook w join outbox o using (company_id, webhook_id)
         where w.company_id = $1 and o.member_id = v.member_id and o.seq = v.seq
           and o.delivered_at is null)
     order by v.created_at limit $2
   ), sent as (
     delete from outbox o using old, webhook w
     where o.company_id = $1 and w.company_id = $1 and o.webhook_id = w.webhook_id
       and o.member_id = old.member_id and o.seq = old.seq
   )
   delete from event v using old
   where v.company_id = $1 and v.member_id = old.member_id and v.seq = old.seq`,
  z.unknown(),
)
const forgetOlder = statement(
  `delete from outbox where company_id = $1 and ctid = any (array(
     select o.ctid from outbox o where o.company_id = $1
       and o.delivered_at < now() - make_interval(days => ${eventDays})
       and not exists (
         select from event v
         where v.company_id = $1 and v.member_id = o.member_id and v.seq = o.seq)
     limit $2
   ))`,
  z.unknown(),
)

const forgetLog = statement(
  `delete from delivery where company_id = $1 and ctid = any (array(
     select ctid from delivery
     where company_id = $1 and at < now() - make_interval(days => ${eventDays}) limit $2
   ))`,
  z.unknown(),
)

/**
 * Forgets events after `eventDays` days, with their deliveries and the answers.
 * @param limit how many at most
 * @returns how many
 */
export async function forgetDelivered(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  const gone = await Promise.all(
    [forget, forgetOlder, forgetLog].map((s) => tx.run(s, [companyId, limit])),
  )
  return Math.max(...gone)
}

const forgetSent = statement(
  `delete from outbox where company_id = $1 and member_id = $2
     and (event <> 'staff.alert' or delivered_at is not null)`,
  z.unknown(),
)
const forgetUnsent = statement(
  `delete from event v where v.company_id = $1 and v.member_id = $2 and not exists (
     select from outbox o where o.company_id = $1 and o.member_id = $2 and o.seq = v.seq)`,
  z.unknown(),
)

const forgetAnswers = statement(
  'delete from delivery where company_id = $1 and member_id = $2',
  z.unknown(),
)

/**
 * Deletes all events about an erased member, also those that are not delivered yet. An alert about
 * a clerk is still delivered.
 */
export async function forgetEvents(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await Promise.all(
    [forgetSent, forgetUnsent, forgetAnswers].map((s) => tx.run(s, [companyId, memberId])),
  )
}
