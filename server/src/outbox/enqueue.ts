import type { WebhookEvent } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { type Statement, statement } from '../database/database.ts'

/**
 * The statement that writes events about members, one row for each webhook that subscribes to them.
 * Its parameters: the company, the event, and a JSON array of `{ member_id, data }`. The row of
 * `outbox_member` stays locked until the commit, so a member's events are numbered in the order of
 * their commits. Nothing leaves a practice company: it writes no row.
 * @param joinMember SQL that joins the member `r.member_id` as `m`, with its `member_code`
 */
export function insertEvents(joinMember: string): Statement<unknown> {
  return statement(
    `with subscribed as (
     select w.webhook_id, r.member_id,
       jsonb_build_object('memberCode', m.member_code) || r.data as data
     from webhook w
     cross join jsonb_to_recordset($3::jsonb) as r (member_id uuid, data jsonb)
     ${joinMember}
     where w.company_id = $1 and not w.stopped and $2 = any (w.events)
       and may_send($1)
   ), numbered as (
     insert into outbox_member (company_id, member_id, last_seq)
     select distinct $1::uuid, member_id, 1 from subscribed order by member_id
     on conflict (company_id, member_id) do update set last_seq = outbox_member.last_seq + 1
     returning member_id, last_seq
   )
   insert into outbox (company_id, webhook_id, member_id, seq, event_id, event, data)
   select $1, webhook_id, member_id, last_seq, uuidv7(), $2, data
   from subscribed join numbered using (member_id)`,
    z.unknown(),
  )
}

/**
 * A column `has_subscriber` for a statement that runs anyway: whether a webhook of the company
 * subscribes to the event. It is cheaper than an insert that writes no row. `$1` is the company.
 */
export function hasSubscriberSql(event: WebhookEvent): string {
  return `exists (select from webhook
    where company_id = $1 and not stopped and '${event}' = any (events)) as has_subscriber`
}
