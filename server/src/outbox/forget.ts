import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { dropSome, type Old } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'

/** The days for which events and the answers of their receivers are kept. */
export const eventDays = 30

const isOld = `now() - make_interval(days => ${eventDays})`
// An event that a webhook has not got yet is kept for longer. The index of the outbox begins with
// the webhook.
const findOld = wholeCompany(
  `select v.member_id, v.seq from event v
   where v.company_id = $1 and v.created_at < ${isOld}
     and not exists (
       select from webhook w
       join outbox o on o.company_id = $1 and o.webhook_id = w.webhook_id
       where w.company_id = $1 and o.member_id = v.member_id and o.seq = v.seq
         and o.delivered_at is null)
   order by v.created_at limit $2`,
  z.object({ member_id: z.string(), seq: z.int() }),
)
const dropSent = statement(
  `delete from outbox o using webhook w
   where o.company_id = $1 and w.company_id = $1 and o.webhook_id = w.webhook_id
     and o.member_id = $2 and o.seq = $3`,
  z.unknown(),
)
const dropEvent = statement(
  'delete from event where company_id = $1 and member_id = $2 and seq = $3',
  z.unknown(),
)
// The program before this one wrote events only into the outbox.
const older: Old = {
  find: wholeCompany(
    `select o.webhook_id, o.member_id, o.seq from outbox o
     where o.company_id = $1 and o.delivered_at < ${isOld}
       and not exists (
         select from event v
         where v.company_id = $1 and v.member_id = o.member_id and v.seq = o.seq)
     limit $2`,
    z.object({ webhook_id: z.string(), member_id: z.string(), seq: z.int() }),
  ),
  drop: statement(
    `delete from outbox
     where company_id = $1 and webhook_id = $2 and member_id = $3 and seq = $4`,
    z.unknown(),
  ),
}
const answers: Old = {
  find: wholeCompany(
    `select member_id, delivery_id from delivery
     where company_id = $1 and at < ${isOld} limit $2`,
    z.object({ member_id: z.string(), delivery_id: z.string() }),
  ),
  drop: statement(
    'delete from delivery where company_id = $1 and member_id = $2 and delivery_id = $3',
    z.unknown(),
  ),
}

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
  const gone = await Promise.all([
    forgetOld(tx, companyId, limit),
    ...[older, answers].map((old) => dropSome(tx, old, companyId, limit)),
  ])
  return Math.max(...gone)
}

async function forgetOld(tx: Transaction, companyId: string, limit: number): Promise<number> {
  const rows = await tx.all(findOld, [companyId, limit])
  const keys = rows.map(({ member_id: memberId, seq }) => [companyId, memberId, seq])
  await Promise.all(keys.flatMap((key) => [dropSent, dropEvent].map((s) => tx.run(s, key))))
  return rows.length
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
