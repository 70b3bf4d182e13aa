import { below, isNode, namesOf, type Node, partsOf, stringsOf, textOf } from './tree.ts'

// A level of a statement: the tables of one `from`, `update` or `delete`, with the conditions that
// hold for them. A subquery is a level of its own.

export type Table = { name: string; alias: string }
export type Level = {
  kind: 'select' | 'update' | 'delete'
  tables: Table[]
  /** The conditions, each of which must hold. */
  conditions: Node[]
  /** The tables whose rows it locks. */
  locked: Table[]
  node: Node
}

const kinds = { SelectStmt: 'select', UpdateStmt: 'update', DeleteStmt: 'delete' } as const

/** The levels of a statement, its subqueries and its CTEs. */
export function levelsOf(statement: unknown): Level[] {
  const ctes = new Set<string>()
  for (const [kind, node] of below(statement)) {
    if (kind === 'CommonTableExpr') ctes.add(textOf(node['ctename']))
  }
  const levels: Level[] = []
  for (const [kind, node] of below(statement)) {
    const of = Object.entries(kinds).find(([name]) => name === kind)
    // A select inside of a union or an insert has no kind of its own in the tree.
    const selects = ['larg', 'rarg'].includes(kind) ? ('select' as const) : of?.[1]
    if (selects === undefined) continue
    const level = levelOf(selects, node)
    level.tables = level.tables.filter(({ name }) => !ctes.has(name))
    levels.push(level)
  }
  return levels
}

function levelOf(kind: Level['kind'], node: Node): Level {
  const level: Level = { kind, tables: [], conditions: [], locked: [], node }
  if (isNode(node['relation'])) addTable(level, node['relation'])
  for (const list of ['fromClause', 'usingClause']) addFrom(level, node[list])
  addConditions(level, node['whereClause'])
  for (const [, clause] of partsOf(node['lockingClause'])) addLocked(level, clause)
  return level
}

/** `for update of a, b` locks these; without names, all tables. */
function addLocked(level: Level, clause: Node): void {
  const names = partsOf(clause['lockedRels']).map(([, relation]) => textOf(relation['relname']))
  const isLocked = ({ alias }: Table) => names.length === 0 || names.includes(alias)
  level.locked.push(...level.tables.filter(isLocked))
}

function addFrom(level: Level, value: unknown): void {
  for (const [kind, node] of partsOf(value)) {
    if (kind === 'RangeVar') addTable(level, node)
    if (kind !== 'JoinExpr') continue
    addFrom(level, node['larg'])
    addFrom(level, node['rarg'])
    addConditions(level, node['quals'])
  }
}

function addTable(level: Level, node: Node): void {
  const name = textOf(node['relname'])
  const alias = isNode(node['alias']) ? textOf(node['alias']['aliasname']) : name
  level.tables.push({ name, alias })
}

function addConditions(level: Level, value: unknown): void {
  for (const [kind, node] of partsOf(value)) {
    if (kind === 'BoolExpr' && node['boolop'] === 'AND_EXPR') addConditions(level, node['args'])
    else level.conditions.push({ [kind]: node })
  }
}

/**
 * Whether a level fixes a column of a table: `alias.column = value`. The value names no column, but
 * it may name an argument (`p_…`) or a variable (`v_…`) of a function. An unqualified column
 * belongs to the only table of the level.
 */
export function fixes(level: Level, { alias }: Table, column: string): boolean {
  return level.conditions.some((condition) => {
    const equal = condition['A_Expr']
    if (!isNode(equal) || equal['kind'] !== 'AEXPR_OP') return false
    if (stringsOf(equal['name']).join() !== '=') return false
    const [left, right] = [equal['lexpr'], equal['rexpr']]
    return [
      [left, right],
      [right, left],
    ].some(([one, other]) => isColumn(one) && isFixed(other))
  })

  function isColumn(value: unknown): boolean {
    const reference = isNode(value) ? value['ColumnRef'] : undefined
    if (!isNode(reference)) return false
    const [first, second] = namesOf(reference)
    if (second === undefined) return first === column && level.tables.length === 1
    return first === alias && second === column
  }
}

function isFixed(value: unknown): boolean {
  return [...below(value)].every(([kind, node]) => {
    if (kind === 'ColumnRef') return /^[pv]_\w+$/.test(namesOf(node).join('.'))
    return kind !== 'SubLink'
  })
}
