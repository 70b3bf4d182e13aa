import type { Comparison, Violation } from '../database/invariant.ts'
import type { Statement, Transaction } from '../database/database.ts'
import { allowWholeCompany } from '../database/reads/whole.ts'

const most = 100

/**
 * Checks a rule about rows of two groups of tables, in the memory of one page.
 * @returns at most 100 violations
 */
export async function compare(
  tx: Transaction,
  companyId: string,
  comparison: Comparison,
): Promise<Violation[]> {
  const first = await compareOnce(tx, companyId, comparison)
  if (first.length === 0) return []
  // The two groups are not read at the same moment. Rows that were deleted or moved in between, as
  // by the nightly reset of a practice company, are not found a second time.
  const second = await compareOnce(tx, companyId, comparison)
  const again = new Set(second.map(keyOf))
  return first.filter((one) => again.has(keyOf(one)))
}

function keyOf(violation: Violation): string {
  return `${violation.member_id} ${violation.found}`
}

async function compareOnce(
  tx: Transaction,
  companyId: string,
  comparison: Comparison,
): Promise<Violation[]> {
  const violations: Violation[] = []
  const { page, pageSize } = comparison
  for (let after = comparison.start; ;) {
    const rows = await read(tx, page, [companyId, after, pageSize])
    const names = new Set(rows.flatMap((row) => row.names))
    const wrong = await wrongOf(tx, companyId, comparison, names)
    for (const row of rows) {
      for (const name of row.names.filter((one) => wrong.has(one))) {
        const found = comparison.describe(row.what, name)
        violations.push({ member_id: row.member_id, found })
      }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize || violations.length >= most) {
      return violations.slice(0, most)
    }
    after = last.place
  }
}

/** The names that must be found and are not, or the other way round. */
async function wrongOf(
  tx: Transaction,
  companyId: string,
  { find, must }: Comparison,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const [found, left] = [new Set<string>(), new Set(names)]
  for (const query of find) {
    if (left.size === 0) break
    for (const { name } of await read(tx, query, [companyId, [...left]])) {
      found.add(name)
      left.delete(name)
    }
  }
  return must === 'exist' ? left : found
}

/** In one burst with the setting that allows it, because each burst of a read is a transaction. */
async function read<Row>(
  tx: Transaction,
  query: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const [, rows] = await Promise.all([allowWholeCompany(tx), tx.all(query, values)])
  return rows
}
