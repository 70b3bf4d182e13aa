import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod/mini'
import type { Caller, Change } from './context.ts'
import { newId } from '../values/id.ts'
import { type Database, statement, type Transaction } from './database.ts'
import { insertOf, insertRows } from './insert.ts'

const insert = statement(
  `insert into audit (company_id, place, audit_id, staff_id, store_code, action, member_id,
     request_id, details)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  z.unknown(),
)

/**
 * The author of a change. Staff and store are null for a change made on the command line: the
 * columns `author` and `reason` then have the person and the reason (`process/author.ts`).
 */
export type Actor = {
  company: { id: string }
  staff: { id: string } | null
  store: { code: string } | null
}

/** Writes one audit row for one change of state, in the transaction of the change. */
export function writeAudit(
  tx: Transaction,
  actor: Actor | Caller,
  requestId: string,
  change: Change,
): void {
  const id = newId()
  tx.atCommit(insert, [
    actor.company.id,
    change.memberId ?? id,
    id,
    actor.staff?.id ?? null,
    actor.store?.code ?? null,
    change.action,
    change.memberId,
    requestId,
    change.details,
  ])
}

// A row without a member has its own id as its place.
const batchInsert = (end: string) =>
  insertOf(
    `audit (company_id, place, audit_id, at, staff_id, store_code, action, member_id, request_id,
       details)`,
    '($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    end,
    z.unknown(),
  )
const insertMany = batchInsert('')
// Looking for each id costs a quarter more, so only rows are looked for that may exist.
const insertAgain = batchInsert('on conflict do nothing')
// Many rows in one statement cost a tenth of as many statements. So much is lost with a process
// that is killed.
const batchDelayMs = 100
// About two minutes of look-ups of a full process. Longer is not needed: look-ups need the database
// themselves.
const maxWaiting = 200_000

/** A row of a read: `at` is the time of its request, `staff` the clerk's id. */
export type BatchRow = Change & {
  id: string
  at: string
  staff: string
  store: string
  request: string
  /** A write failed; the row may have been written nevertheless. */
  again: boolean
}

/** The values of a row, from the second one on. */
function valuesOf(row: BatchRow): unknown[] {
  const { id, at, staff, store, action, memberId, request, details } = row
  return [memberId ?? id, id, at, staff, store, action, memberId, request, details]
}

/** The rows of one company. */
type Batch = { companyId: string; rows: BatchRow[] }

/** Writes the audit rows of read-only requests in the background, many at a time. */
export type AuditBatch = {
  add(caller: Caller, requestId: string, changes: readonly Change[]): void
  /** Writes what is waiting, before the database is closed. */
  close(): Promise<void>
}

/**
 * Opens a batch for one server process. Rows that could not be written, because the database does
 * not answer, are tried again with the next ones; their ids keep a row from being written twice.
 * @param failed receives each error of a write
 * @param follow sends more statements about the rows in their transaction, in the same burst
 */
export function batchAudit(
  database: Database,
  failed: (error: unknown) => void,
  follow: (
    tx: Transaction,
    companyId: string,
    rows: readonly BatchRow[],
  ) => Promise<void> = async () => {},
): AuditBatch {
  let waiting = new Map<string, Batch>()
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()
  // A timer inherits the async context of the request that starts it, but writes the rows of all.
  const outsideRequests = AsyncLocalStorage.snapshot()

  function batchOf(companyId: string): Batch {
    const batch = waiting.get(companyId) ?? { companyId, rows: [] }
    waiting.set(companyId, batch)
    return batch
  }

  function schedule(): void {
    timer ??= outsideRequests(() =>
      setTimeout(() => {
        timer = null
        writing = writing.then(write)
      }, batchDelayMs),
    )
  }
  async function writeBatch({ companyId, rows }: Batch): Promise<void> {
    const insertion = rows.some(({ again }) => again) ? insertAgain : insertMany
    await database.transaction(companyId, async (tx) => {
      const followed = follow(tx, companyId, rows)
      await Promise.all([followed, insertRows(tx, insertion, companyId, rows.map(valuesOf))])
    })
  }
  async function write(): Promise<void> {
    const batches = waiting
    waiting = new Map()
    for (const batch of batches.values()) {
      try {
        await writeBatch(batch)
      } catch (error) {
        failed(error)
        for (const row of batch.rows) row.again = true
        const again = batchOf(batch.companyId)
        again.rows = [...batch.rows, ...again.rows].slice(0, maxWaiting)
        schedule()
      }
    }
  }
  return {
    add({ company, staff, store, now }, requestId, changes) {
      if (changes.length === 0) return
      const { rows } = batchOf(company.id)
      for (const change of changes) {
        const at = { id: newId(), at: now, staff: staff.id, store: store.code }
        rows.push({ ...at, request: requestId, again: false, ...change })
      }
      schedule()
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      await writing
      await write()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

const eraseWords = statement(
  `update audit set reason = null, details = details - 'reason'
   where company_id = $1 and place = $2 and member_id = $2
     and (reason is not null or details ? 'reason')`,
  z.unknown(),
)

/**
 * Erases the reasons in all audit rows about an erased member. Only the database's owner may do
 * this; the program's role cannot update audit rows.
 */
export async function forgetAuditReasons(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await tx.run(eraseWords, [companyId, memberId])
}
