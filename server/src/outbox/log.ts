import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import type { ReceiverAnswer } from './post.ts'

const insert = statement(
  `insert into delivery (company_id, webhook_id, member_id, event_id, event, attempt, status,
     excerpt, ms, problem)
   values ($1, unnest($2::text[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::text[]),
     unnest($6::int[]), unnest($7::int[]), unnest($8::text[]), unnest($9::int[]),
     unnest($10::text[]))`,
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
  await tx.run(insert, [
    companyId,
    tries.map((one) => one.webhook_id),
    tries.map((one) => one.member_id),
    tries.map((one) => one.event_id),
    tries.map((one) => one.event),
    tries.map((one) => one.attempts),
    tries.map((one) => one.status),
    tries.map((one) => one.excerpt),
    tries.map((one) => one.ms),
    tries.map((one) => one.problem),
  ])
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
