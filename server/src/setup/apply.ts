import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type Definition, Settings } from '../company/definition.ts'
import { changeEpoch } from '../company/epoch.ts'
import { findCompanyId } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import { type Database, sqlState, statement, type Transaction } from '../database/database.ts'
import { lockStock, readStock } from '../points/gift/stock.ts'
import { endStoreSessions } from '../staff/roster/sessions.ts'
import { beginPromotion } from '../tier/promote.ts'
import { changedFields, type Change, describe, differenceOf } from './difference.ts'
import type { Source } from './folder.ts'
import { changeDefinition, type MadeBy, recordRevision } from './revision/history.ts'
import { refuseCurrency, refuseLoss, refuseStale } from './revision/refusals.ts'
import { vanishing } from './revision/vanishing.ts'
import { type Row, type Table, tables } from './rows.ts'
import { beginStocks, refuseSmallStock } from './revision/stocks.ts'

const newId = statement('select uuidv7() as id', z.object({ id: z.string() }))
const insertAddress = statement(
  'insert into company_address (identifier, company_id) values ($1, $2)',
  z.unknown(),
)
const insertCompany = statement(
  `insert into company (company_id, identifier, time_zone, settings, logo, source_checksum,
     practice)
   values ($1, $2, $3, $4, $5, $6, $7)`,
  z.unknown(),
)
// Settings written by an older program may not match today's schema, but they can be replaced.
const CompanyRow = z.object({
  revision: z.int(),
  time_zone: z.string(),
  settings: z.json(),
  logo: z.string(),
})
const readCompany = statement(
  'select revision, time_zone, settings, logo from company where company_id = $1',
  CompanyRow,
)
const updateCompany = statement(
  `update company set time_zone = $2, settings = $3, logo = $4,
     source_checksum = coalesce($5, source_checksum)
   where company_id = $1`,
  z.unknown(),
)

export type Applied = {
  identifier: string
  created: boolean
  /** Increased by one when anything changed. */
  revision: number
  changes: Change[]
  /** The losses of the company, one line each. */
  vanishing: string[]
}

export type ApplyOptions = {
  /** Only return the changes; nothing is refused. */
  dryRun?: boolean
  /** The revision that the source was made from; null: do not check it. */
  base?: number | null
  /** Whether the changes may take something away from the company. */
  confirmed?: boolean
  madeBy?: MadeBy
}

type Difference = { table: Table; changes: Change[]; rows: Row[] }

/**
 * Updates the database to match a company's folder, in one transaction. Rows that are missing in
 * the folder are stopped. Applying twice changes nothing, and concurrent calls are safe.
 * @throws Error when a stock would be less than the number already issued; when the currency would
 *   have other decimals than the receipts; when the company has changed since `base`; when
 *   something vanishes and `confirmed` is false
 */
export async function applyCompany(
  database: Database,
  source: Source,
  options: ApplyOptions = {},
): Promise<Applied> {
  const { identifier } = source.definition
  const { dryRun = false } = options
  for (let again = true; ; again = false) {
    const known = await findCompanyId(database, identifier)
    if (known === null && dryRun) return difference(source)
    const id = known ?? (await newCompanyId(database))
    try {
      return await database.transaction(id, (tx) =>
        known === null ? createCompany(tx, id, source) : update(tx, id, source, options),
      )
    } catch (error) {
      // Another process has just created the company, so compare with it.
      if (!again || known !== null || sqlState(error) !== '23505') throw error
    }
  }
}

/** The changes for a company that does not exist yet. */
function difference({ definition }: Source): Applied {
  const parts = tables.map((table) => differenceOf(table, [], table.wanted(definition)))
  const { identifier } = definition
  const first: Change = { action: 'add', noun: 'company', key: identifier, fields: [] }
  const changes = [first, ...parts.flatMap((part) => part.changes)]
  return { identifier, created: true, revision: 1, changes, vanishing: [] }
}

/** The id of a company that will be created. */
export async function newCompanyId(database: Database): Promise<string> {
  return (await database.withoutCompany((tx) => tx.one(newId, []))).id
}

/**
 * Creates a company in a transaction of its own id.
 * @param practice whether it is for practising; this never changes later
 */
export async function createCompany(
  tx: Transaction,
  id: string,
  source: Source,
  practice = false,
): Promise<Applied> {
  const { definition, logo, checksum } = source
  const { identifier, timeZone } = definition
  await Promise.all([
    tx.run(insertAddress, [identifier, id]),
    tx.run(insertCompany, [
      id,
      identifier,
      timeZone,
      settingsIn(definition),
      logo,
      checksum,
      practice,
    ]),
  ])
  changeEpoch(tx, id)
  const applied = difference(source)
  await write(tx, id, applied.changes, await compare(tx, id, definition, readStock))
  await recordRevision(tx, id, 1, 'apply', [`add company ${identifier}`])
  return applied
}

async function update(
  tx: Transaction,
  id: string,
  source: Source,
  { dryRun = false, base = null, confirmed = true, madeBy = 'apply' }: ApplyOptions,
): Promise<Applied> {
  const { identifier } = source.definition
  if (dryRun) {
    const { changes, lost, row } = await plan(tx, id, source, readStock)
    const revision = row.revision + (changes.length > 0 ? 1 : 0)
    return { identifier, created: false, revision, changes, vanishing: lost }
  }
  let applied: Pick<Applied, 'changes' | 'vanishing'> = { changes: [], vanishing: [] }
  // The company's row and the stocks are locked, so that nothing changes between check and writing.
  const revision = await changeDefinition(tx, id, madeBy, async () => {
    const { changes, lost, row, differences } = await plan(tx, id, source, lockStock)
    if (changes.length > 0) {
      if (base !== null) await refuseStale(tx, id, { identifier, base, current: row.revision })
      if (!confirmed) refuseLoss(identifier, lost)
    }
    const { definition, logo, checksum } = source
    const company = [id, definition.timeZone, settingsIn(definition), logo, checksum]
    await tx.run(updateCompany, company)
    await write(tx, id, changes, differences)
    await beginPromotion(tx, id, widenedTiers(changes))
    applied = { changes, vanishing: lost }
    return changes.map(describe)
  })
  return { identifier, created: false, revision, ...applied }
}

/** The changes that a source makes to an existing company. */
async function plan(
  tx: Transaction,
  id: string,
  { definition, logo }: Source,
  issuedOf: typeof readStock,
) {
  const { identifier, timeZone } = definition
  const row = await tx.one(readCompany, [id])
  const before = Settings.safeParse(row.settings)
  const fields = changedFields(
    { timeZone: row.time_zone, logo: row.logo, ...(before.success ? before.data : {}) },
    { timeZone, logo, ...settingsIn(definition) },
  )
  if (before.success) await refuseCurrency(tx, id, before.data, definition)
  const differences = await compare(tx, id, definition, issuedOf)
  const own: Change = { action: 'change', noun: 'company', key: identifier, fields }
  const changes = [
    ...(fields.length > 0 ? [own] : []),
    ...differences.flatMap((part) => part.changes),
  ]
  return { row, changes, differences, lost: await vanishing(tx, id, changes) }
}

/** The tiers that a member may reach now without a sale: added, in use again, or cheaper. */
function widenedTiers(changes: readonly Change[]): string[] {
  return changes.filter((change) => change.noun === 'tier' && isWider(change)).map(({ key }) => key)
}

function isWider({ action, fields }: Change): boolean {
  return (
    action === 'add' ||
    fields.some(({ name, from, to }) =>
      name === 'threshold' ? Number(to) < Number(from) : name === 'stopped' && to === false,
    )
  )
}

async function compare(
  tx: Transaction,
  companyId: string,
  definition: Definition,
  issuedOf: typeof readStock,
): Promise<Difference[]> {
  const current = await Promise.all(tables.map((table) => tx.all(table.read, [companyId])))
  const differences = tables.map((table, index) => {
    const { changes, rows } = differenceOf(table, current[index] ?? [], table.wanted(definition))
    return { table, changes, rows }
  })
  await refuseSmallStock(tx, companyId, differences, issuedOf)
  return differences
}

async function write(
  tx: Transaction,
  companyId: string,
  changes: readonly Change[],
  differences: readonly Difference[],
): Promise<void> {
  const actor = { company: { id: companyId }, staff: null, store: null }
  const requestId = `command-${randomUUID()}`
  const closed = differences
    .filter(({ table }) => table.noun === 'store')
    .flatMap(({ rows }) => rows.filter((row) => row['active'] === false))
  // Sent together without waiting; the database runs them in this order.
  await Promise.all([
    ...differences.flatMap(({ table, rows }) =>
      rows.map((row) => tx.run(table.write, table.valuesOf(companyId, row))),
    ),
    beginStocks(tx, companyId, differences),
    ...closed.map((row) => endStoreSessions(tx, companyId, String(row['store_code']))),
  ])
  for (const change of changes) {
    const details = { what: describe(change) }
    writeAudit(tx, actor, requestId, {
      action: `company.${change.action}`,
      memberId: null,
      details,
    })
  }
}

/** The part of the definition that is stored as one JSON value: the fields of Settings only. */
function settingsIn(definition: Definition): Settings {
  return z.object(Settings.shape).parse(definition)
}
