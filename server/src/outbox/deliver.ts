import type { Database, Transaction } from '../database/database.ts'

// Delivers the rows of a queue table: webhook events and messages to people. A queue has the
// columns `next_at`, `leased_until` and `attempts`. A process claims rows with a lease that is
// longer than a delivery can take; if the process dies, another one claims them after the lease.

/**
 * The result of a delivery. `failed`: a retry may succeed. `refused`: a retry would fail too.
 * `problem` contains no personal data, so it can be logged.
 */
export type SendResult =
  | { outcome: 'delivered' | 'shown' }
  | { outcome: 'refused' | 'failed'; problem: string }

/** The rows to claim: the parameters of `dueSql` and `leaseSql`. */
export type Claim = {
  /** Also rows whose next try is later. */
  now: boolean
  /** The ids of the rows that failed in this run. */
  tried: readonly string[]
  limit: number
  leaseSeconds: number
}

/** `waitSeconds`: until the next try; 0 where there is none. */
export type Settled<Row, Sent = SendResult> = { row: Row; sent: Sent; waitSeconds: number }

/** `Sent`: what is known about a delivery besides its outcome. */
export type Queue<Row extends { attempts: number }, Sent extends SendResult = SendResult> = {
  claim(tx: Transaction, claim: Claim): Promise<Row[]>
  settle(tx: Transaction, results: readonly Settled<Row, Sent>[]): Promise<unknown>
  /** Never throws. */
  send(row: Row, timeoutMs: number): Promise<Sent>
  idOf(row: Row): string
  /** The receiver or channel, which begins each problem. */
  nameOf(row: Row): string
  backOff: BackOff
}

export type BackOff = { firstSeconds: number; longestSeconds: number }

export type DeliveryOptions = {
  /** Also try rows whose next try is later, each once. */
  now?: boolean
  /** Ends the run between two batches. */
  signal?: AbortSignal
  /** How long a receiver may take to answer. */
  timeoutMs?: number
}

export type Delivered = {
  /** How many rows were delivered or shown. */
  done: number
  /** `left`: some rows stay for a later run. */
  outcome: 'finished' | 'left' | 'stopped'
  /** Each problem once. */
  problems: string[]
}

/** The rows that one process sends to a receiver at the same time. */
export const batchSize = 20
/** The rows of which a process claims a batch; other processes have locked some of them. */
export const mostClaimable = 200
/** For the two transactions around a delivery. */
const leaseMarginSeconds = 20

/** Condition of a row that may be claimed. @param now a parameter: `Claim.now` */
export function dueSql(now: string): string {
  return `(${now} or next_at <= now()) and (leased_until is null or leased_until <= now())`
}

/** Assignments that claim a row. @param seconds a parameter: `Claim.leaseSeconds` */
export function leaseSql(seconds: string): string {
  return `leased_until = now() + make_interval(secs => ${seconds}), attempts = attempts + 1`
}

/** Condition of a row that is not kept any longer. @param column when it was settled */
export function forgettableSql(column: string): string {
  return `${column} < now() - interval '7 days'`
}

/**
 * Delivers all rows that are due, each at least once. Any number of processes may do so at the same
 * time. No transaction is open during a delivery.
 */
export async function deliverQueue<Row extends { attempts: number }, Sent extends SendResult>(
  database: Database,
  companyId: string,
  queue: Queue<Row, Sent>,
  { now = false, signal, timeoutMs = 10_000 }: DeliveryOptions,
): Promise<Delivered> {
  const leaseSeconds = Math.ceil(timeoutMs / 1000) + leaseMarginSeconds
  const problems = new Set<string>()
  const tried: string[] = []
  let done = 0
  for (;;) {
    if (signal?.aborted === true) return { done, outcome: 'stopped', problems: [...problems] }
    const claim = { now, tried, limit: batchSize, leaseSeconds }
    const rows = await database.transaction(companyId, (tx) => queue.claim(tx, claim))
    if (rows.length === 0) break
    const results = await Promise.all(
      rows.map(async (row) => {
        const sent = await queue.send(row, timeoutMs)
        const waitSeconds = sent.outcome === 'failed' ? waitAfter(row.attempts, queue.backOff) : 0
        return { row, sent, waitSeconds }
      }),
    )
    await database.transaction(companyId, (tx) => queue.settle(tx, results))
    for (const { row, sent } of results) {
      if ('problem' in sent) problems.add(`${queue.nameOf(row)}: ${sent.problem}`)
      else done += 1
      if (sent.outcome === 'failed') tried.push(queue.idOf(row))
    }
  }
  return { done, outcome: tried.length > 0 ? 'left' : 'finished', problems: [...problems] }
}

/** Seconds until the next try: doubled with each try up to the longest, then ±20 percent. */
export function waitAfter(
  attempts: number,
  { firstSeconds, longestSeconds }: BackOff,
  random: () => number = Math.random,
): number {
  const wait = Math.min(firstSeconds * 2 ** (attempts - 1), longestSeconds)
  return Math.round(wait * (0.8 + 0.4 * random()))
}
