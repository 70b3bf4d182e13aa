import * as z from 'zod/mini'
import { type FoundCompany, findCompany } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import { type FileRow, openCsv } from '../values/csv.ts'
import { type Database, isUnavailable, statement, type Transaction } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { newId } from '../values/id.ts'
import { keysOf, KeysTaken, storeOrigins } from '../member/create.ts'
import { createMembers } from '../register/create.ts'
import { erasedAmong } from '../member/erase.ts'
import { codeKey } from '../member/key.ts'
import { type MemberMapping, rowReader } from './import-mapping.ts'
import { type BuiltRow, buildMember, fieldsOf, type RowRules } from './import-row.ts'
import { todaySql } from '../database/reads/today.ts'

/** Rows per transaction. */
const packSize = 500

const readCompany = statement(
  `select to_char(${todaySql('company')}, 'YYYY-MM-DD') as today,
     array(select store_code from store where company_id = $1) as stores
   from company where company_id = $1`,
  z.object({ today: z.string(), stores: z.array(z.string()) }),
)
// A plan made while the tables were empty would scan them sequentially for ever.
const planByKey = statement('set local enable_seqscan = off', z.unknown())
const readKeys = wholeCompany(
  `select k.kind, k.value, k.member_id from unnest($2::text[], $3::text[]) as wanted (kind, value)
   join member_key k on k.company_id = $1 and k.kind = wanted.kind and k.value = wanted.value`,
  z.object({ kind: z.string(), value: z.string(), member_id: z.string() }),
)
const readOrigins = wholeCompany(
  `select member_id, content_hash from member_origin
   where company_id = $1 and member_id = any ($2::uuid[])`,
  z.object({ member_id: z.string(), content_hash: z.instanceof(Buffer) }),
)

/** The result of an import; every row is counted once. */
export type MemberImport = {
  read: number
  created: number
  /** Existing members with the same content. */
  unchanged: number
  /** Existing members with different content; they are not changed. */
  changed: number
  rejected: number
}

export type RefusedRow = { line: number; memberCode: string; reason: string }
export type MemberImportOptions = {
  /** Called for each row that is neither created nor unchanged. */
  reject(row: RefusedRow): Promise<void>
  /** Reports the progress, between 0 and 1. */
  progress(done: number): void
}

type Row = { line: number; memberCode: string; built: BuiltRow }
type Outcome =
  | { kind: 'created' }
  | { kind: 'unchanged' }
  | { kind: 'changed' }
  | { kind: 'rejected'; reason: string }
type Run = { database: Database; company: FoundCompany; importId: string }

/**
 * Imports the members of a file. Existing members are not changed, so an interrupted import is
 * completed by running it again.
 * @throws Error when the file cannot be read or the company does not exist; then nothing was
 *   changed
 */
export async function importMembers(
  database: Database,
  identifier: string,
  file: string,
  mapping: MemberMapping,
  options: MemberImportOptions,
): Promise<MemberImport> {
  const company = await findCompany(database, identifier)
  if (company === null) throw new Error(`there is no company "${identifier}"`)
  const { today, stores } = await database.reading(company.id, (tx) =>
    tx.one(readCompany, [company.id]),
  )
  const opened = await openCsv(file, mapping)
  const [first = 'en-US'] = company.settings.languages
  const rules: RowRules = {
    mapping,
    reader: rowReader(mapping, opened.header),
    fields: fieldsOf(mapping, company.settings),
    stores: new Set(stores),
    language: mapping.language ?? first,
    today,
  }
  const run: Run = { database, company, importId: newId() }
  const summary = { read: 0, created: 0, unchanged: 0, changed: 0, rejected: 0 }
  for await (const pack of opened.packs(packSize)) {
    summary.read += pack.length
    const rows = await Promise.all(pack.map((row) => rowOf(row, rules)))
    for (const [index, outcome] of (await importRows(run, rows)).entries()) {
      summary[outcome.kind] += 1
      const row = rows[index]
      if (row !== undefined) await reportRow(row, outcome, options)
    }
    options.progress(opened.progress())
  }
  return summary
}

async function rowOf({ line, cells, problem }: FileRow, rules: RowRules): Promise<Row> {
  const memberCode = cells === null ? '' : (rules.reader.cell(cells, 'memberCode') ?? '')
  const built =
    cells === null || problem !== null
      ? { reason: problem ?? 'cannot be read' }
      : await buildMember(cells, rules)
  return { line, memberCode, built }
}

async function reportRow(row: Row, outcome: Outcome, options: MemberImportOptions): Promise<void> {
  if (outcome.kind === 'created' || outcome.kind === 'unchanged') return
  const reason =
    outcome.kind === 'rejected'
      ? outcome.reason
      : 'the member exists already, with different content'
  await options.reject({ line: row.line, memberCode: row.memberCode, reason })
}

/**
 * Imports a pack of rows in one transaction. If a key was taken meanwhile or the database rejects a
 * row, each row is tried in its own transaction to find the invalid one.
 */
async function importRows(run: Run, rows: readonly Row[]): Promise<Outcome[]> {
  try {
    return await run.database.transaction(run.company.id, (tx) =>
      importInOneTransaction(tx, run, rows),
    )
  } catch (error) {
    if (isUnavailable(error)) throw error
    const outcomes: Outcome[] = []
    if (rows.length > 1) {
      for (const row of rows) outcomes.push(...(await importRows(run, [row])))
      return outcomes
    }
    const reason =
      error instanceof KeysTaken ? error.message : `the database rejected it: ${String(error)}`
    return [{ kind: 'rejected', reason }]
  }
}

async function importInOneTransaction(
  tx: Transaction,
  run: Run,
  rows: readonly Row[],
): Promise<Outcome[]> {
  const { company } = run
  const members = rows.flatMap(({ built }) => ('member' in built ? [built.member] : []))
  const wanted = members.flatMap(keysOf)
  const kinds = wanted.map(({ kind }) => kind)
  const values = wanted.map(({ value }) => value)
  const [, taken, erased] = await Promise.all([
    tx.run(planByKey, []),
    tx.all(readKeys, [company.id, kinds, values]),
    erasedAmong(
      tx,
      company,
      members.map((member) => member.memberCode),
    ),
  ])
  const known = taken.filter(({ kind }) => kind === 'code')
  const ids = known.map(({ member_id: id }) => id)
  const hashes = new Map(
    (await tx.all(readOrigins, [company.id, ids])).map((row) => [row.member_id, row.content_hash]),
  )
  const origins = new Map(
    known.map(({ value, member_id: id }) => [value, hashes.get(id) ?? null] as const),
  )
  const used = new Set(taken.map(nameOf))
  const fresh: Extract<BuiltRow, { member: unknown }>[] = []
  const outcomes = rows.map(({ built }): Outcome => {
    if ('reason' in built) return { kind: 'rejected', reason: built.reason }
    const code = codeKey(built.member.memberCode)
    const before = origins.get(code)
    if (before !== undefined) {
      return { kind: before?.equals(built.hash) === true ? 'unchanged' : 'changed' }
    }
    if (erased.has(built.member.memberCode)) {
      return { kind: 'rejected', reason: 'the member was erased and is not created again' }
    }
    const keys = keysOf(built.member)
    const theirs = keys.filter((key) => used.has(nameOf(key)))
    if (theirs.length > 0) {
      return { kind: 'rejected', reason: new KeysTaken(theirs.map(({ kind }) => kind)).message }
    }
    // The file may contain the same row twice.
    for (const key of keys) used.add(nameOf(key))
    origins.set(code, built.hash)
    fresh.push(built)
    return { kind: 'created' }
  })
  if (fresh.length > 0) await createRows(tx, run, fresh)
  return outcomes
}

async function createRows(
  tx: Transaction,
  { company, importId }: Run,
  rows: readonly Extract<BuiltRow, { member: unknown }>[],
): Promise<void> {
  const ids = await createMembers(
    tx,
    company,
    rows.map(({ member }) => member),
  )
  storeOrigins(
    tx,
    company,
    rows.map(({ hash }, index) => ({ memberId: ids[index] ?? '', hash })),
  )
  writeAudit(tx, { company, staff: null, store: null }, `import-${importId}`, {
    action: 'member.import',
    memberId: null,
    details: { created: rows.length },
  })
}

function nameOf({ kind, value }: { kind: string; value: string }): string {
  return `${kind} ${value}`
}
