import { apart, groupOf } from './placement.ts'

// How the keys of a table change when one of its columns places the rows: a database checks a key
// only among the rows of one node.

/**
 * A unique key with the column that places the rows, after the company.
 * @param definition of a constraint, of an index or a list of columns, as PostgreSQL prints it
 */
export function widened(definition: string, column: string | undefined): string {
  if (column === undefined || columnsOf(definition).includes(column)) return definition
  return definition.replace(/\((company_id\b)?/, (_, company?: string) =>
    company === undefined ? `(${column}, ` : `(company_id, ${column}`,
  )
}

/** The columns of the first list in a definition. */
function columnsOf(definition: string): string[] {
  return (/\(([^)]*)\)/.exec(definition)?.[1] ?? '').split(/,\s*/)
}

/** `name`: of the constraint; `definition`: as PostgreSQL prints it. */
export type ForeignKey = { table: string; name: string; target: string; definition: string }

/**
 * A foreign key between placed tables, with the columns that place their rows; null when the rows
 * can be on different nodes, where no database checks it.
 * @param placed the column of each placed table
 */
export function placedForeignKey(
  { table, name, target, definition }: ForeignKey,
  placed: ReadonlyMap<string, string>,
): string | null {
  const to = placed.get(target)
  if (to === undefined) return definition
  const from = placed.get(table)
  if (from === undefined || groupOf(table) !== groupOf(target) || apart.has(name)) return null
  const [, own = '', there = ''] =
    /^FOREIGN KEY (\([^)]*\)) REFERENCES \w+(\([^)]*\))/.exec(definition) ?? []
  const position = columnsOf(there).indexOf(to)
  if (position >= 0) return columnsOf(own)[position] === from ? definition : null
  return definition.replace(own, widened(own, from)).replace(there, widened(there, to))
}
