import { resolve } from 'node:path'
import type { Command } from 'commander'
import { companyNamed, findCompanyId, inCompany } from '../../company/find.ts'
import type { ActOptions } from '../../process/author.ts'
import { actCommand, jsonCommand, print, withDatabase } from '../../database/command.ts'
import type { Database } from '../../database/database.ts'
import { type Applied, applyCompany } from '../apply.ts'
import { describe } from '../difference.ts'
import { readFolder } from '../folder.ts'
import { describeRevisions, revisionsAfter, sourceOf } from './history.ts'
import { staleness } from './refusals.ts'
import { stampRevision } from './stamp.ts'

type Options = ActOptions & { dryRun?: boolean; confirm?: boolean }

/** `tillside company apply` */
export function registerApply(company: Command): void {
  options(actCommand(company, 'apply <folder>', 'Update the database to match a company folder'))
    .option('--revision <n>', 'the revision that the folder replaces (default: of company.yaml)')
    .action(runApply)
}

/** `tillside company rollback` and `tillside company history` */
export function registerRollback(company: Command): void {
  options(actCommand(company, 'rollback <company>', 'Restore an earlier revision of a company'))
    .option('--to <revision>', 'the revision to restore (default: the one before the current one)')
    .action(runRollback)
  jsonCommand(company, 'history <company>', 'List the revisions of a company').action(
    async (identifier: string, { json }: { json?: boolean }) => {
      const revisions = await inCompany(identifier, (tx, id) => revisionsAfter(tx, id, 0))
      print(json, revisions, describeRevisions(revisions))
    },
  )
}

function options(command: Command): Command {
  return command
    .option('--dry-run', 'only show the changes')
    .option('--confirm', 'also apply changes that take something away')
}

async function runApply(folder: string, given: Options & { revision?: string }): Promise<void> {
  const path = resolve(folder)
  const source = await readFolder(path)
  // A folder without a revision is as old as the company's first revision.
  const base = revisionOf('--revision', given.revision) ?? source.definition.revision ?? 1
  const { dryRun = false, confirm: confirmed = false } = given
  const { applied, stale } = await withDatabase(
    async ({ database }) => {
      const shown = await applyCompany(database, source, { dryRun, base, confirmed })
      return { applied: shown, stale: dryRun ? await staleIn(database, shown, base) : null }
    },
    { mayBeEmpty: !dryRun, act: dryRun ? undefined : given },
  )
  report(given, applied)
  if (stale !== null) throw new Error(stale)
  const { revision, changes, identifier } = applied
  const isNamed = source.definition.revision !== undefined
  if (dryRun || (changes.length === 0 && !isNamed) || (await stampRevision(path, revision))) return
  process.stderr.write(
    `Could not write "revision: ${revision}" to company.yaml. Add this line to it, or export ` +
      `${identifier} again.\n`,
  )
}

async function staleIn(database: Database, shown: Applied, base: number): Promise<string | null> {
  const { identifier, changes, revision } = shown
  const id = await findCompanyId(database, identifier)
  if (id === null || changes.length === 0) return null
  const ages = { identifier, base, current: revision - 1 }
  return database.reading(id, (tx) => staleness(tx, id, ages))
}

async function runRollback(identifier: string, given: Options & { to?: string }): Promise<void> {
  const { dryRun = false, confirm: confirmed = false } = given
  const to = revisionOf('--to', given.to)
  const applied = await withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      const { source, current } = await database.reading(id, async (tx) => {
        const revisions = await revisionsAfter(tx, id, 0)
        const last = revisions.at(-1)?.revision ?? 1
        const wanted = to ?? revisions.at(-2)?.revision
        if (wanted === undefined) throw new Error(`${identifier} has no earlier revision`)
        return { source: await sourceOf(tx, id, wanted), current: last }
      })
      // A revision made in the meantime is refused like a stale folder.
      return applyCompany(database, source, {
        dryRun,
        base: current,
        confirmed,
        madeBy: 'rollback',
      })
    },
    { act: dryRun ? undefined : given },
  )
  report(given, applied)
}

function report({ json, dryRun = false }: Options, applied: Applied): void {
  const { identifier, revision, changes, vanishing } = applied
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  const outcome = dryRun ? 'not applied' : `applied as revision ${revision}`
  const losses =
    dryRun && vanishing.length > 0
      ? [`${identifier} would lose (needs --confirm):`, ...vanishing.map((line) => `  ${line}`)]
      : []
  print(json, { dryRun, ...applied }, [
    ...changes.map(describe),
    ...losses,
    changes.length === 0
      ? `${identifier}: nothing to change`
      : `${identifier}: ${count}, ${outcome}`,
  ])
}

function revisionOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new Error(`${option} must be the number of a revision`)
  return Number(given)
}
