import * as z from 'zod/mini'
import { type FoundCompany, findCompany } from '../../company/find.ts'
import { writeAudit } from '../../database/audit.ts'
import {
  type Database,
  isUnavailable,
  statement,
  type Transaction,
} from '../../database/database.ts'
import { companyNowSql } from '../../company/clock.ts'
import { decimalsOf } from '../../company/settings.ts'
import { newId } from '../../values/id.ts'
import { codeKey } from '../../member/key.ts'
import { openFile } from './file.ts'
import { type Built, buildInvoice } from './invoice.ts'
import type { Mapping, Reader } from './mapping.ts'
import { type Members, membersOf } from './members.ts'
import { type Rejected, type StagedInvoice, type Staging, stagingOf } from './staging.ts'
import type { TransactionInput } from '../input.ts'
import { accept } from '../accept.ts'
import { recordedHashes } from '../receipt-key.ts'
import { contentHash } from '../record.ts'

const readClock = statement(`select ${companyNowSql} as now`, z.object({ now: z.string() }))

/** Invoices in one database transaction, and the number of transactions that run in parallel. */
const batchSize = 100
const laneCount = 2
const packSize = 2000

/** The result of an import. Each row and each invoice is counted exactly once in its group. */
export type ImportSummary = {
  rows: { read: number; recorded: number; unchanged: number; changed: number; rejected: number }
  invoices: {
    read: number
    created: number
    unchanged: number
    changed: number
    rejected: number
  }
  /** The created invoices by kind, and the created members. */
  created: { sales: number; returns: number; withoutMember: number; members: number }
}

export type ImportOptions = {
  /** Called for each row that is neither recorded nor unchanged. */
  reject(row: Rejected): Promise<void>
  /** Reports progress; `done` is between 0 and 1. */
  progress(phase: 'reading' | 'recording', done: number): void
}

/**
 * Imports a file's invoices into a company: creates missing members, and records the receipts of
 * each member in order of time. Existing invoices are not changed, so an interrupted import can be
 * completed by running it again.
 * @throws Error if the file cannot be read or the company does not exist; nothing is recorded then
 */
export async function importTransactions(
  database: Database,
  identifier: string,
  file: string,
  mapping: Mapping,
  options: ImportOptions,
): Promise<ImportSummary> {
  const company = await findCompany(database, identifier)
  if (company === null) throw new Error(`there is no company "${identifier}"`)
  const { now } = await database.reading(company.id, (tx) => tx.one(readClock, [company.id]))
  const importId = newId()
  const staging = stagingOf(database, company, importId, mapping.timeZone ?? company.timeZone)
  const summary: ImportSummary = {
    rows: { read: 0, recorded: 0, unchanged: 0, changed: 0, rejected: 0 },
    invoices: { read: 0, created: 0, unchanged: 0, changed: 0, rejected: 0 },
    created: { sales: 0, returns: 0, withoutMember: 0, members: 0 },
  }
  try {
    const opened = await openFile(file, mapping)
    const { reader } = opened
    for await (const pack of opened.packs(packSize)) {
      summary.rows.read += pack.length
      for (const row of await staging.add(pack, reader)) {
        summary.rows.rejected += 1
        await options.reject(row)
      }
      options.progress('reading', opened.progress())
    }
    summary.invoices.read = await staging.arrange(laneCount)
    const run: Run = {
      database,
      company,
      now,
      importId,
      reader,
      staging,
      summary,
      options,
      done: 0,
      analyzeAt: 100,
    }
    await Promise.all(Array.from({ length: laneCount }, (_, lane) => recordLane(run, lane)))
  } finally {
    await staging.clear()
  }
  check(summary)
  return summary
}

type Run = {
  database: Database
  company: FoundCompany
  /** The database's clock when the import began. */
  now: string
  importId: string
  reader: Reader
  staging: Staging
  summary: ImportSummary
  options: ImportOptions
  done: number
  /** Number of recorded invoices after which PostgreSQL's statistics are updated next. */
  analyzeAt: number
}

async function recordLane(run: Run, lane: number): Promise<void> {
  const known = new Map<string, string>()
  for (let after = 0; ; after += batchSize) {
    const invoices = await run.staging.next(lane, after, batchSize)
    if (invoices.length === 0) return
    for (const result of await recordBatch(run, invoices, known)) await count(run, result)
    run.done += invoices.length
    if (run.done >= run.analyzeAt) {
      run.analyzeAt = run.done * 3
      await run.staging.analyze()
    }
    run.options.progress('recording', run.done / run.summary.invoices.read)
  }
}

type Outcome =
  | { kind: 'created'; input: TransactionInput }
  | { kind: 'unchanged' }
  | { kind: 'changed' }
  | { kind: 'rejected'; reason: string }
type Result = { staged: StagedInvoice; outcome: Outcome }

/**
 * Records a batch in one database transaction. If the database rejects it, records each invoice in
 * a transaction of its own, so that only the faulty ones are rejected.
 */
async function recordBatch(
  run: Run,
  invoices: readonly StagedInvoice[],
  known: Map<string, string>,
): Promise<Result[]> {
  try {
    const { results, members } = await run.database.transaction(run.company.id, (tx) =>
      recordAll(tx, run, invoices, known),
    )
    // Emptied from time to time, so that memory does not grow with the file.
    if (known.size > 20_000) known.clear()
    for (const [key, id] of members.ids) known.set(key, id)
    run.summary.created.members += members.made.size
    return results
  } catch (error) {
    if (isUnavailable(error)) throw error
    const [only] = invoices
    if (invoices.length > 1 || only === undefined) {
      const results: Result[] = []
      for (const invoice of invoices) results.push(...(await recordBatch(run, [invoice], known)))
      return results
    }
    const reason = `the database rejected it: ${error instanceof Error ? error.message : 'unknown'}`
    return [{ staged: only, outcome: { kind: 'rejected', reason } }]
  }
}

async function recordAll(
  tx: Transaction,
  run: Run,
  invoices: readonly StagedInvoice[],
  known: ReadonlyMap<string, string>,
): Promise<{ results: Result[]; members: Members }> {
  const places = decimalsOf(run.company.settings)
  const every = invoices.map((staged) => ({
    staged,
    built: buildInvoice(staged, run.reader, places),
  }))
  // When a file is imported again, nearly all invoices exist already: one query for the batch.
  const numbers = every.flatMap(({ built }) => ('input' in built ? built.input.invoiceNumber : []))
  const hashes = await recordedHashes(tx, run.company.id, run.reader.mapping.source, numbers)
  const [all, unchanged]: [typeof every, Result[]] = [[], []]
  for (const one of every) {
    const hash = 'input' in one.built ? hashes.get(one.built.input.invoiceNumber) : undefined
    const isThere = 'input' in one.built && hash?.equals(contentHash(one.built.input)) === true
    if (isThere) unchanged.push({ staged: one.staged, outcome: { kind: 'unchanged' } })
    else all.push(one)
  }
  const customers = all.flatMap(({ staged, built }) =>
    'input' in built && built.customer !== null && staged.day !== null
      ? [{ customer: built.customer, day: staged.day }]
      : [],
  )
  const members = await membersOf(tx, run.company, customers, known)
  // Receipts of one member are recorded in sequence; those of different members concurrently, on
  // this connection.
  const groups = Map.groupBy(all, ({ staged, built }) =>
    'input' in built && built.customer !== null
      ? `member ${codeKey(built.customer.memberCode)}`
      : `invoice ${staged.invoiceNumber}`,
  )
  const settled = await Promise.allSettled(
    [...groups.values()].map(async (group) => {
      const results: Result[] = []
      for (const { staged, built } of group) {
        results.push({ staged, outcome: await recordOne(tx, run, built, members) })
      }
      return results
    }),
  )
  // Wait for all of them before throwing, so that no statement is sent after the rollback.
  const results = settled.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  const created = results.filter(({ outcome }) => outcome.kind === 'created').length
  if (created > 0) {
    writeAudit(tx, { company: run.company, staff: null, store: null }, `import-${run.importId}`, {
      action: 'transaction.import',
      memberId: null,
      details: { created, members: members.made.size },
    })
  }
  return { results: [...unchanged, ...results], members }
}

async function recordOne(
  tx: Transaction,
  { company, now }: Run,
  built: Built,
  members: Members,
): Promise<Outcome> {
  if ('reason' in built) return { kind: 'rejected', reason: built.reason }
  const { input, customer } = built
  const key = customer === null ? null : codeKey(customer.memberCode)
  const memberId = key === null ? null : (members.ids.get(key) ?? null)
  if (key !== null && memberId === null) {
    return { kind: 'rejected', reason: members.problems.get(key) ?? 'the member does not exist' }
  }
  const recorded = await accept(tx, company, memberId, input, now)
  switch (recorded.outcome) {
    case 'created':
      return { kind: 'created', input }
    case 'unchanged':
      return { kind: 'unchanged' }
    case 'refused':
      return recorded.reason === 'changed'
        ? { kind: 'changed' }
        : { kind: 'rejected', reason: recorded.reason }
  }
}

async function count({ summary, options }: Run, { staged, outcome }: Result): Promise<void> {
  const { rows, invoices, created } = summary
  const { kind } = outcome
  invoices[kind] += 1
  if (kind === 'created') {
    rows.recorded += staged.rows.length
    created[outcome.input.invoiceType === 'return' ? 'returns' : 'sales'] += 1
    if (outcome.input.memberCode === null) created.withoutMember += 1
    return
  }
  rows[kind] += staged.rows.length
  if (kind === 'unchanged') return
  const reason =
    kind === 'changed' ? 'the invoice exists already, with different content' : outcome.reason
  for (const { line } of staged.rows) {
    await options.reject({ line, invoiceNumber: staged.invoiceNumber, reason })
  }
}

/** Checks that no row or invoice was lost: each one is counted in exactly one group. */
function check({ rows, invoices, created }: ImportSummary): void {
  const sums = [
    rows.recorded + rows.unchanged + rows.changed + rows.rejected === rows.read,
    invoices.created + invoices.unchanged + invoices.changed + invoices.rejected === invoices.read,
    created.sales + created.returns === invoices.created,
  ]
  if (sums.includes(false)) throw new Error('the import lost count of its rows')
}
