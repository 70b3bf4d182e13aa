import type { WebhookEvent } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { type Statement, statement, type Transaction } from '../database/database.ts'
import { type Acting, acting } from './acting.ts'

/** One event about a member. Store and actor are those of the request, unless they are given. */
export type MemberEvent = Partial<Acting> & {
  memberId: string
  data: Readonly<Record<string, unknown>>
}

/**
 * The statement that writes events about members, and a row of the outbox for each webhook that
 * subscribes to them. It writes nothing where none does. The row of `outbox_member` stays locked
 * until the commit, so a member's events are numbered in the order of their commits.
 * @param join SQL that joins the member `r.member_id` as `m`, with its `member_code`, and what
 *   `more` names
 * @param more SQL of a JSON object that is a part of the data
 */
export function insertEvents(join: string, more = `'{}'::jsonb`): Statement<unknown> {
  return statement(
    `with subscriber as (
     select webhook_id from webhook
     where company_id = $1 and not stopped and $2 = any (events)
   ), change as (
     select r.member_id, r.store, r.actor,
       jsonb_build_object('memberCode', m.member_code) || ${more} || r.data as data,
       row_number() over (partition by r.member_id order by r.n) as place,
       count(*) over (partition by r.member_id) as count
     from jsonb_to_recordset($3::jsonb)
       as r (n int, member_id uuid, store text, actor jsonb, data jsonb)
     ${join}
     where exists (select from subscriber)
   ), numbered as (
     insert into outbox_member (company_id, member_id, last_seq)
     select distinct $1::uuid, member_id, count::int from change order by member_id
     on conflict (company_id, member_id)
       do update set last_seq = outbox_member.last_seq + excluded.last_seq
     returning member_id, last_seq
   ), added as (
     insert into event (company_id, member_id, seq, event_id, event, store_code, actor, data)
     select $1, member_id, last_seq - count + place, uuidv7(), $2, store,
       nullif(actor, 'null'::jsonb), data
     from change join numbered using (member_id) order by member_id, place
     returning member_id, seq, event_id, data
   )
   insert into outbox (company_id, webhook_id, member_id, seq, event_id, event, data)
   select $1, webhook_id, member_id, seq, event_id, $2, data from added, subscriber`,
    z.unknown(),
  )
}

/** Sends a statement of `insertEvents` together with the commit of `tx`. */
export function enqueue(
  tx: Transaction,
  insert: Statement<unknown>,
  companyId: string,
  event: WebhookEvent,
  events: readonly MemberEvent[],
): void {
  const now = acting()
  if (events.length === 0 || now.isSilent === true) return
  const rows = events.map(({ memberId, data, store = now.store, actor = now.actor }, n) => {
    return { n, member_id: memberId, store, actor, data }
  })
  tx.atCommit(insert, [companyId, event, JSON.stringify(rows)])
}

/**
 * A column `has_subscriber` for a statement that runs anyway: whether a webhook of the company
 * subscribes to the event. It is cheaper than an insert that writes no row. `$1` is the company.
 */
export function hasSubscriberSql(event: WebhookEvent): string {
  return `exists (select from webhook
    where company_id = $1 and not stopped and '${event}' = any (events)) as has_subscriber`
}
