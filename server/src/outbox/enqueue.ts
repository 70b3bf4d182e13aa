import type { WebhookEvent } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { type Statement, statement, type Transaction } from '../database/database.ts'
import { type Acting, acting } from './acting.ts'

/** One event about a member. Store and actor are those of the request, unless they are given. */
export type MemberEvent = Partial<Acting> & {
  memberId: string
  data: Readonly<Record<string, unknown>>
}

const insert = statement('select enqueue_events($1, $2, $3::jsonb)', z.unknown())

/**
 * Writes events about members, and a row of the outbox for each webhook that subscribes to them;
 * nothing where none does. The statement is sent together with the commit of `tx`. A member's
 * events are numbered in the order of their commits.
 */
export function enqueue(
  tx: Transaction,
  companyId: string,
  event: WebhookEvent,
  events: readonly MemberEvent[],
): void {
  const now = acting()
  if (events.length === 0 || now.isSilent === true) return
  const rows = events.map(({ memberId, data, store = now.store, actor = now.actor }) => {
    return { member_id: memberId, store, actor, data }
  })
  tx.atCommit(insert, [companyId, event, JSON.stringify(rows)])
}

/**
 * Sends a statement that writes events with the commit. It gets the store and the actor of the
 * events as its last two values.
 */
export function enqueueBy(
  tx: Transaction,
  s: Statement<unknown>,
  values: readonly unknown[],
): void {
  const { store, actor, isSilent } = acting()
  if (isSilent !== true) tx.atCommit(s, [...values, store, actor])
}

/**
 * A column `has_subscriber` for a statement that runs anyway: whether a webhook of the company
 * subscribes to the event. It is cheaper than an insert that writes no row. `$1` is the company.
 */
export function hasSubscriberSql(event: WebhookEvent): string {
  return `exists (select from webhook
    where company_id = $1 and not stopped and '${event}' = any (events)) as has_subscriber`
}
