import * as z from 'zod/mini'
import type { Settings } from '../../company/definition.ts'
import { decimalsOf } from '../../company/settings.ts'
import type { Transaction } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import { describeRevisions, revisionsAfter } from './history.ts'

const hasReceipts = wholeCompany(
  'select exists (select 1 from transaction where company_id = $1) as found',
  z.object({ found: z.boolean() }),
)

/** The revision from which a folder was exported, and the current revision of the company. */
export type Ages = { identifier: string; base: number; current: number }

/**
 * Describes why a source is too old to be applied.
 * @returns null when it was made from the company's current revision
 */
export async function staleness(
  tx: Transaction,
  companyId: string,
  { identifier, base, current }: Ages,
): Promise<string | null> {
  if (base === current) return null
  if (base > current) {
    return (
      `company.yaml has revision ${base}, but ${identifier} is at revision ${current}, so the ` +
      'folder belongs to another database. ' +
      `Add --revision ${current} if it may replace that revision.`
    )
  }
  const since = await revisionsAfter(tx, companyId, base)
  return [
    `company.yaml has revision ${base}, but ${identifier} is at revision ${current}:`,
    ...describeRevisions(since).map((line) => `  ${line}`),
    `Run "tillside company export ${identifier} --to <new folder>" and repeat your changes ` +
      `there, or add --revision ${current} to overwrite these revisions.`,
  ].join('\n')
}

/** @throws Error when the company has changed since `base` */
export async function refuseStale(tx: Transaction, companyId: string, ages: Ages): Promise<void> {
  const stale = await staleness(tx, companyId, ages)
  if (stale !== null) throw new Error(`${stale}\nNothing was changed.`)
}

/** @throws Error when the company loses something */
export function refuseLoss(identifier: string, lost: readonly string[]): void {
  if (lost.length === 0) return
  const lines = lost.map((line) => `  ${line}`)
  throw new Error(
    [`${identifier} would lose:`, ...lines, 'Nothing was changed. Add --confirm to apply it.'].join(
      '\n',
    ),
  )
}

/**
 * A currency with other decimals would make stored amounts unreadable.
 * @throws Error when the company has receipts, and its currency would have other decimals
 */
export async function refuseCurrency(
  tx: Transaction,
  companyId: string,
  before: Pick<Settings, 'currency'>,
  after: Pick<Settings, 'currency'>,
): Promise<void> {
  const [had, has] = [decimalsOf(before), decimalsOf(after)]
  if (had === has || !(await tx.one(hasReceipts, [companyId])).found) return
  throw new Error(
    `the currency would have ${has} decimals, but the receipts of the company have ${had}`,
  )
}
