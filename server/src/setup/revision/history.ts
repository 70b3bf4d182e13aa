import * as z from 'zod/mini'
import { Definition } from '../../company/definition.ts'
import { changeEpoch } from '../../company/epoch.ts'
import { statement, type Transaction } from '../../database/database.ts'
import { inSequence } from '../../database/reads/whole.ts'
import { definitionOf } from '../export.ts'
import type { Source } from '../folder.ts'

const lockRevision = statement(
  'select revision from company where company_id = $1 for update',
  z.object({ revision: z.int() }),
)
const increment = statement(
  'update company set revision = revision + 1 where company_id = $1',
  z.unknown(),
)
const insert = statement(
  `insert into company_revision (company_id, revision, made_by, changes, definition, logo, author,
     reason)
   values ($1, $2, $3, $4, $5, $6, nullif(current_setting('app.author', true), ''),
     nullif(current_setting('app.reason', true), ''))`,
  z.unknown(),
)
// A company that an older program applied has no history yet.
const insertUnknown = statement(
  `insert into company_revision (company_id, revision, definition, logo)
   values ($1, $2, $3, $4) on conflict do nothing`,
  z.unknown(),
)
const readHistory = statement(
  `select revision, at, author, reason, made_by, changes from company_revision
   where company_id = $1 and revision > $2 order by revision`,
  z.object({
    revision: z.int(),
    at: z.string(),
    author: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    made_by: z.nullable(z.string()),
    changes: z.array(z.string()),
  }),
)
const readSnapshot = statement(
  'select definition, logo from company_revision where company_id = $1 and revision = $2',
  z.object({ definition: z.record(z.string(), z.json()), logo: z.string() }),
)

/** The command that made a revision. */
export type MadeBy = 'apply' | 'rollback' | 'store' | 'permission' | 'webhook'

/**
 * Changes a company's definition and records the new revision, in the caller's transaction.
 * Concurrent changes wait for each other.
 * @param work makes the change and describes it; no description: nothing has changed
 * @returns the revision afterwards
 */
export async function changeDefinition(
  tx: Transaction,
  companyId: string,
  madeBy: MadeBy,
  work: () => Promise<readonly string[]>,
): Promise<number> {
  const [{ revision }] = await Promise.all([tx.one(lockRevision, [companyId]), inSequence(tx)])
  const before = await definitionOf(tx, companyId)
  const changes = await work()
  changeEpoch(tx, companyId)
  if (changes.length === 0) return revision
  await tx.run(insertUnknown, [companyId, revision, before.definition, before.logo])
  await tx.run(increment, [companyId])
  await recordRevision(tx, companyId, revision + 1, madeBy, changes)
  return revision + 1
}

/** Stores the current definition as a revision. */
export async function recordRevision(
  tx: Transaction,
  companyId: string,
  revision: number,
  madeBy: MadeBy,
  changes: readonly string[],
): Promise<void> {
  const { definition, logo } = await definitionOf(tx, companyId)
  await tx.run(insert, [companyId, revision, madeBy, changes, definition, logo])
}

/** A revision of a company and how it was made; null: an older program did not record it. */
export type Revision = {
  revision: number
  at: string
  author: string | null
  reason: string | null
  madeBy: string | null
  changes: string[]
}

/** Lists the revisions after `base`, oldest first. */
export async function revisionsAfter(
  tx: Transaction,
  companyId: string,
  base: number,
): Promise<Revision[]> {
  const rows = await tx.all(readHistory, [companyId, base])
  return rows.map(({ revision, at, author, reason, made_by: madeBy, changes }) => ({
    revision,
    at,
    author,
    reason,
    madeBy,
    changes,
  }))
}

/**
 * Reads a past revision as a folder that can be applied. @throws Error when it was not recorded, or
 * when this version of the program does not accept it
 */
export async function sourceOf(
  tx: Transaction,
  companyId: string,
  revision: number,
): Promise<Source> {
  const row = await tx.maybe(readSnapshot, [companyId, revision])
  if (row === null) throw new Error(`revision ${revision} is not recorded`)
  const parsed = Definition.safeParse(row.definition)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.')
    throw new Error(`revision ${revision} cannot be restored: ${field} is no longer valid`)
  }
  return { definition: parsed.data, logo: row.logo, checksum: null }
}

/** Formats revisions for the operator, one line for each and one for each change. */
export function describeRevisions(revisions: readonly Revision[]): string[] {
  return revisions.flatMap(({ revision, at, author, reason, madeBy, changes }) => [
    `revision ${revision}  ${at.slice(0, 16).replace('T', ' ')} UTC  ${author ?? 'unknown'}` +
      `${madeBy === null ? '' : `  ${madeBy}`}${reason === null ? '' : `  (${reason})`}`,
    ...changes.map((change) => `  ${change}`),
  ])
}
