import { parseSync } from 'libpg-query'
import { fixes, type Level, levelsOf, type Table } from './levels.ts'
import { columnOf, copied, groupOf } from '@tillside/server/cluster/placement'
import { hasSharedId } from './ids.ts'
import { faultsOfWhole } from './whole.ts'
import { below, isNode, type Node, partsOf, stringsOf, textOf } from './tree.ts'

// The rules for statements that run on one PostgreSQL and on several nodes. PostgreSQL's parser
// reads the statements, so no rule depends on how they are written.

/**
 * The rules that a statement breaks, by name.
 * @param isWhole whether it is declared by `wholeCompany`
 * @param isHeld whether a write is sent before its lock, as `lockOf` declares it
 */
export function brokenRules(text: string, isWhole = false, isHeld = false): string[] {
  const tree: unknown = parseSync(text)
  const kept = Object.entries({
    ...rules,
    ...(isWhole ? rulesOfWhole : rulesOfOne),
    ...(isHeld ? {} : rulesOfLoose),
  })
  return kept.flatMap(([name, isBroken]) =>
    isBroken({ tree, levels: levelsOf(tree) }) ? [name] : [],
  )
}

type Parsed = { tree: unknown; levels: Level[] }
type Rules = Record<string, (parsed: Parsed) => boolean>

const placed = ({ name }: Table): boolean => columnOf.has(name)
/** A table of ours, not a function, an array or a CTE. */
const isStored = (name: string): boolean => columnOf.has(name) || copied.has(name)

/** Rules of a statement that reads a whole company: every node answers from its own rows. */
const rulesOfWhole: Rules = {
  'tables of a whole company are joined by their own column': ({ tree }) =>
    faultsOfWhole(tree).length > 0,
}

/** Rules of every other statement: one node answers. */
const rulesOfOne: Rules = {
  // Otherwise a statement runs on all nodes, or not at all.
  'each placed table has its company and its own column': ({ levels }) =>
    levels.some((level) =>
      level.tables
        .filter(placed)
        .some(
          (table) =>
            !fixes(level, table, 'company_id') ||
            !fixes(level, table, columnOf.get(table.name) ?? ''),
        ),
    ),
  // Rows of two groups are on different nodes, which a join would have to exchange.
  'first the key, then the member': ({ levels, tree }) => {
    const written = [...changes(tree)].map(({ table }) => table)
    const names = [...levels.flatMap(({ tables }) => tables.map(({ name }) => name)), ...written]
    return new Set(names.flatMap((name) => groupOf(name) ?? [])).size > 1
  },
}

/** The rule of a statement that no write goes before. */
const rulesOfLoose: Rules = {
  // A write outlasts the move of its rows to another node, and a lock does not.
  'a write goes before a lock': ({ levels, tree }) =>
    [...changes(tree)].length === 0 && levels.some(({ locked }) => locked.some(placed)),
}

/** Rules of every statement, and whether it breaks them. */
const rules: Rules = {
  'a row is locked by its member': ({ levels }) =>
    levels.some((level) =>
      level.locked.some(
        (table) => placed(table) && !fixes(level, table, columnOf.get(table.name) ?? ''),
      ),
    ),
  'no lock on a copied table': ({ levels }) =>
    levels.some(({ locked }) => locked.some(({ name }) => copied.has(name))),
  // The rows of an array are values with `unnest`: `values ($1, unnest($2::text[]))`.
  'an insert has values, or selects from a table': ({ tree }) =>
    [...below(tree)].some(([kind, node]) => kind === 'InsertStmt' && isLooseInsert(node)),
  'an insert with values has no subquery': ({ tree }) =>
    [...below(tree)].some(([kind, node]) => kind === 'InsertStmt' && hasSubquery(node)),
  // An array of places has no place of its own.
  'a new row has a value as its place': ({ tree }) =>
    [...below(tree)].some(([kind, node]) => kind === 'InsertStmt' && hasArrayAsPlace(node)),
  'each row of an array has an id of its own': ({ tree }) =>
    [...below(tree)].some(([kind, node]) => kind === 'InsertStmt' && hasSharedId(node)),
  'a statement writes one table': ({ tree }) => [...changes(tree)].length > 1,
  'what is returned is immutable': ({ tree }) =>
    [...changes(tree)].some(({ table, node }) => {
      const returned = node['returningList'] ?? node['returningClause']
      return columnOf.has(table) && [...below(returned)].some(isVolatile)
    }),
  'what a conflict writes is immutable': ({ tree }) =>
    [...changes(tree)].some(({ table, node }) =>
      [...below(isStored(table) ? node['onConflictClause'] : null)].some(isVolatile),
    ),
  'no ctid': ({ tree }) =>
    [...below(tree)].some(
      ([kind, node]) => kind === 'ColumnRef' && stringsOf(node['fields']).includes('ctid'),
    ),
  'the member of a row never changes': ({ tree }) =>
    [...below(tree)].some(([kind, node]) => {
      if (kind !== 'UpdateStmt' || !isNode(node['relation'])) return false
      const column = columnOf.get(textOf(node['relation']['relname']))
      return partsOf(node['targetList']).some(([, target]) => textOf(target['name']) === column)
    }),
  'the company is set by `set local`': ({ tree }) => [...below(tree)].some(isSetConfig),
}

type Change = { table: string; node: Node }

function* changes(tree: unknown): Generator<Change> {
  for (const [kind, node] of below(tree)) {
    if (!['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].includes(kind)) continue
    if (isNode(node['relation'])) yield { table: textOf(node['relation']['relname']), node }
  }
}

function isLooseInsert(node: Node): boolean {
  const [relation, source] = [node['relation'], node['selectStmt']]
  if (!isNode(relation) || !isStored(textOf(relation['relname']))) return false
  const select = isNode(source) ? source['SelectStmt'] : undefined
  if (!isNode(select) || 'valuesLists' in select) return false
  return !levelsOf(source).some((level) => level.tables.some(({ name }) => isStored(name)))
}

/** In the values of an insert, or in what it does on a conflict. */
function hasSubquery(node: Node): boolean {
  const [relation, source] = [node['relation'], node['selectStmt']]
  if (!isNode(relation) || !isStored(textOf(relation['relname']))) return false
  const select = isNode(source) ? source['SelectStmt'] : undefined
  if (!isNode(select) || !('valuesLists' in select)) return false
  return [...below([select, node['onConflictClause']])].some(([kind]) => kind === 'SubLink')
}

/** Whether `unnest` makes the values of the column that places the rows. */
function hasArrayAsPlace(node: Node): boolean {
  const [relation, source] = [node['relation'], node['selectStmt']]
  const select = isNode(source) ? source['SelectStmt'] : undefined
  if (!isNode(relation) || !isNode(select)) return false
  const column = columnOf.get(textOf(relation['relname']))
  const position = partsOf(node['cols']).findIndex(([, { name }]) => name === column)
  return partsOf(select['valuesLists']).some(([, { items }]) =>
    [...below(Array.isArray(items) ? items[position] : null)].some(
      ([kind, call]) => kind === 'FuncCall' && stringsOf(call['funcname']).includes('unnest'),
    ),
  )
}

const volatile = new Set([
  'now',
  'clock_timestamp',
  'uuidv7',
  'gen_random_uuid',
  'extract',
  'date_part',
])

function isVolatile([kind, node]: [string, Node]): boolean {
  if (kind === 'SubLink') return true
  return kind === 'FuncCall' && stringsOf(node['funcname']).some((name) => volatile.has(name))
}

function isSetConfig([kind, node]: [string, Node]): boolean {
  if (kind !== 'FuncCall' || !stringsOf(node['funcname']).includes('set_config')) return false
  const [setting] = partsOf(node['args'])
  const value = setting?.[1]['sval']
  return isNode(value) && textOf(value['sval']) === 'app.company_id'
}
