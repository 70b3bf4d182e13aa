import { parseSync } from 'libpg-query'
import { columnOf, copied } from '@tillside/server/cluster/placement'
import type { Inner } from './functions.ts'
import { levelsOf } from './levels.ts'
import { below, stringsOf } from './tree.ts'

// Citus sends a statement to the node of its tables, with the functions that it calls. There a
// function may not use a table of another node, and its writes begin the transaction of that node a
// second time. So a statement that calls a function with tables has none itself. The values of an
// insert are calculated before it is sent.

/** Calls in one round trip, which are off on a cluster. */
export const atOnce = `begin_spending begin_undo issue_answered issue_paid_answered record_return
  record_sale redeem_answered spend_on undo_answered undo_spending_answered`.split(/\s+/)

/**
 * The statements that name a table and call a function that uses tables.
 * @param functions the statements inside of all functions
 * @returns the functions that each of them calls
 */
export function callsBesideTables<S extends { text: string; name?: string }>(
  statements: readonly S[],
  functions: readonly Inner[],
): { statement: S; calls: string[] }[] {
  const using = namesWithTables(functions)
  return statements
    .filter(({ name }) => name === undefined || !atOnce.includes(name))
    .flatMap((statement) => {
      const tree: unknown = parseSync(statement.text)
      const calls = callsIn(tree).filter((name) => using.has(name) && !atOnce.includes(name))
      return calls.length > 0 && readsTable(tree) ? [{ statement, calls }] : []
    })
}

/** The functions that use tables, themselves or by another function. */
function namesWithTables(functions: readonly Inner[]): ReadonlySet<string> {
  const parsed = functions.map(({ name, text }) => ({ name, tree: parseSync(text) as unknown }))
  const using = new Set(
    parsed.flatMap(({ name, tree }) => (readsTable(tree) || writesTable(tree) ? [name] : [])),
  )
  for (let before = -1; before !== using.size;) {
    before = using.size
    for (const { name, tree } of parsed) {
      if (callsIn(tree).some((called) => using.has(called))) using.add(name)
    }
  }
  return using
}

const readsTable = (tree: unknown): boolean =>
  levelsOf(tree).some(({ tables }) =>
    tables.some(({ name }) => columnOf.has(name) || copied.has(name)),
  )

const writesTable = (tree: unknown): boolean =>
  [...below(tree)].some(([kind]) => kind === 'InsertStmt')

const callsIn = (tree: unknown): string[] =>
  [...below(tree)].flatMap(([kind, node]) =>
    kind === 'FuncCall' ? stringsOf(node['funcname']).slice(-1) : [],
  )
