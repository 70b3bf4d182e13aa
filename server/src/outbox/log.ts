import * as z from 'zod/mini'
import type { Transaction } from '../database/database.ts'
import { insertOf, insertRows } from '../database/insert.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import type { ReceiverAnswer } from './post.ts'

const insert = insertOf(
  `delivery (company_id, webhook_id, member_id, event_id, event, attempt, status, excerpt, ms,
     problem)`,
  '($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  '',
  z.unknown(),
)
const readLog = wholeCompany(
  `select at, webhook_id as webhook, event_id as "eventId", event, attempt, status, excerpt, ms,
     problem
   from delivery
   where company_id = $1 and ($2::text is null or webhook_id = $2)
     and ($3::uuid is null or event_id = $3) and (not $4 or problem is not null)
   order by delivery_id desc limit $5`,
  z.object({
    at: z.string(),
    webhook: z.string(),
    eventId: z.string(),
    event: z.string(),
    attempt: z.int(),
    status: z.nullable(z.int()),
    excerpt: z.string(),
    ms: z.int(),
    problem: z.nullable(z.string()),
  }),
)

/** One try to deliver an event, with the receiver's answer. */
export type Delivery = ReceiverAnswer & {
  webhook_id: string
  member_id: string
  event_id: string
  event: string
  attempts: number
}

/** Keeps the answers of receivers. */
export async function writeLog(
  tx: Transaction,
  companyId: string,
  tries: readonly Delivery[],
): Promise<void> {
  const rows = tries.map((one) => {
    const { webhook_id: webhook, member_id: member, event_id: id, event, attempts } = one
    return [webhook, member, id, event, attempts, one.status, one.excerpt, one.ms, one.problem]
  })
  await insertRows(tx, insert, companyId, rows)
}

/** Which answers to read; null: every one. */
export type LogFilter = {
  webhook: string | null
  event: string | null
  onlyFailed: boolean
  limit: number
}

/** Reads the answers of receivers, the newest first. */
export function readDeliveries(
  tx: Transaction,
  companyId: string,
  { webhook, event, onlyFailed, limit }: LogFilter,
) {
  return tx.all(readLog, [companyId, webhook, event, onlyFailed, limit])
}
