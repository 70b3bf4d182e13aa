import type { WebhookEvent } from '@tillside/contract/integration'
import * as z from 'zod/mini'
import { statement, type Transaction } from './database.ts'

// Nothing is written where nobody listens. The counter's row stays locked until the commit, so a
// member's numbers follow the order in which the changes became true.
const insert = statement(
  `with told as (
     select w.webhook_id, r.member_id,
       jsonb_build_object('memberCode', m.member_code) || r.data as data
     from webhook w
     cross join jsonb_to_recordset($3::jsonb) as r (member_id uuid, data jsonb)
     join member m on m.company_id = $1 and m.member_id = r.member_id
     where w.company_id = $1 and not w.stopped and $2 = any (w.events)
   ), numbered as (
     insert into outbox_member (company_id, member_id, last_seq)
     select distinct $1::uuid, member_id, 1 from told order by member_id
     on conflict (company_id, member_id) do update set last_seq = outbox_member.last_seq + 1
     returning member_id, last_seq
   )
   insert into outbox (company_id, webhook_id, member_id, seq, event_id, event, data)
   select $1, webhook_id, member_id, last_seq, uuidv7(), $2, data
   from told join numbered using (member_id)`,
  z.unknown(),
)

/**
 * Whether anybody listens, as a column of a statement that is asked anyway: telling nobody costs
 * more than looking here. `$1` is the company.
 */
export function heardSql(event: WebhookEvent): string {
  return `exists (select from webhook
    where company_id = $1 and not stopped and '${event}' = any (events)) as heard`
}

type Data = Record<string, string | number | null>

/**
 * Leaves word of a change to a member for whoever the company wants to be told, in the transaction
 * of the change. It travels with the commit. The member's code is put in.
 */
export function tell(
  tx: Transaction,
  companyId: string,
  event: WebhookEvent,
  memberId: string,
  data: Data,
): void {
  tellOfMany(tx, companyId, event, [{ memberId, data }])
}

/** The same for one change to each of several members. */
export function tellOfMany(
  tx: Transaction,
  companyId: string,
  event: WebhookEvent,
  changes: readonly { memberId: string; data: Data }[],
): void {
  const rows = changes.map(({ memberId, data }) => ({ member_id: memberId, data }))
  tx.last(insert, [companyId, event, JSON.stringify(rows)])
}
