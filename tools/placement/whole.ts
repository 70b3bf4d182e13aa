import { columnOf, groupOf } from '@tillside/server/cluster/placement'
import { fixes, levelsOf } from './levels.ts'
import { below, isNode, namesOf, type Node, partsOf, stringsOf, textOf } from './tree.ts'

// Whether every node can answer a read of a whole company from its own rows: the tables of a level
// are joined by the column that places their rows. Otherwise Citus would have to send rows from
// node to node, which it refuses in most cases.

/** What a query returns. `placed`: rows of many nodes; `few`: rows that are sent to every node. */
type Rows = {
  kind: 'placed' | 'few'
  /** The group of the placed rows; null: of several groups, or of none. */
  group: string | null
  /** The columns in their order, and whether each has the value that places the row. */
  columns: { name: string; places: boolean }[]
}
/** A table, function or subquery in a `from`. */
type Relation = Pick<Rows, 'kind' | 'group'> & { alias: string; placing: ReadonlySet<string> }
type Scope = {
  ctes: ReadonlyMap<string, Rows>
  /** The relations of the queries around this one. */
  outer: readonly Relation[]
  /** Reports tables or subqueries that are not joined by their own column. */
  report: (fault: string) => void
}

/** The faults of a statement that reads a whole company. */
export function faultsOfWhole(tree: unknown): string[] {
  const faults: string[] = []
  const levels = levelsOf(tree)
  const writes = /^(Insert|Update|Delete|Merge)Stmt$/
  if ([...below(tree)].some(([kind]) => writes.test(kind))) faults.push('it writes')
  for (const level of levels) {
    if (level.locked.length > 0) faults.push('it locks')
    for (const table of level.tables.filter(({ name }) => columnOf.has(name))) {
      if (!fixes(level, table, 'company_id')) faults.push(`${table.alias} has no company`)
    }
  }
  const scope = { ctes: new Map(), outer: [], report: (fault: string) => faults.push(fault) }
  const statements = isNode(tree) ? partsOf(tree['stmts']) : []
  for (const [, node] of statements) {
    if (isNode(node['SelectStmt'])) rowsOf(node['SelectStmt'], scope)
  }
  return faults
}

function rowsOf(select: Node, around: Scope): Rows {
  const scope = withCtes(select, around)
  const [left, right] = [select['larg'], select['rarg']]
  if (isNode(left) && isNode(right)) return union(rowsOf(left, scope), rowsOf(right, scope), scope)
  const level = new Level(scope, select)
  const columns = level.columnsOf(select['targetList'])
  const isPlaced = level.relations.some(({ kind }) => kind === 'placed')
  // Citus computes these first and sends their rows to every node. It cannot do so for each row of
  // another query.
  const isOfAll = aggregates(select['targetList']) && !('groupClause' in select)
  if (isPlaced && level.isCorrelated && ('limitCount' in select || isOfAll)) {
    scope.report('a subquery sums up or limits for each row of the query around it')
  }
  const isGrouped = 'groupClause' in select && !columns.some(({ places }) => places)
  const isComputed = 'limitCount' in select || isOfAll || isGrouped
  const group = level.relations.find(({ kind }) => kind === 'placed')?.group ?? null
  return { kind: isPlaced && !isComputed ? 'placed' : 'few', group, columns }
}

function withCtes(select: Node, scope: Scope): Scope {
  const list = isNode(select['withClause']) ? partsOf(select['withClause']['ctes']) : []
  const ctes = new Map(scope.ctes)
  for (const [, cte] of list) {
    const query = isNode(cte['ctequery']) ? cte['ctequery']['SelectStmt'] : undefined
    if (isNode(query)) ctes.set(textOf(cte['ctename']), rowsOf(query, { ...scope, ctes }))
  }
  return { ...scope, ctes }
}

function union(left: Rows, right: Rows, { report }: Scope): Rows {
  const isAlike = left.group === right.group
  const arePlaced = [left, right].every(({ kind }) => kind === 'placed')
  if (arePlaced && !isAlike) report('several groups')
  const columns = left.columns.map(({ name, places }, index) => {
    return { name, places: isAlike && places && right.columns[index]?.places === true }
  })
  const isPlaced = [left, right].some(({ kind }) => kind === 'placed')
  return { kind: isPlaced ? 'placed' : 'few', group: isAlike ? left.group : null, columns }
}

function aggregates(targets: unknown): boolean {
  const names = /^(count|sum|min|max|avg|bool_or|bool_and|\w+_agg)$/
  return [...below(targets, (kind) => kind === 'SubLink')].some(
    ([kind, node]) =>
      kind === 'FuncCall' && !('over' in node) && names.test(stringsOf(node['funcname']).join('.')),
  )
}

/** One `from` with its conditions. */
class Level {
  readonly relations: Relation[] = []
  /** Pairs that are joined by the columns that place their rows; one of a pair may be outer. */
  private readonly pairs: [Relation, Relation][] = []
  private readonly scope: Scope
  /** Whether it names columns of the queries around it. */
  readonly isCorrelated: boolean

  constructor(scope: Scope, select: Node) {
    this.scope = scope
    for (const [kind, node] of partsOf(select['fromClause'])) this.add(kind, node)
    this.join(select['whereClause'])
    const own = new Set(aliasesIn(select))
    this.isCorrelated = [...below(select)].some(
      ([kind, node]) => kind === 'ColumnRef' && this.isOuter(namesOf(node), own),
    )
    this.check(select)
  }

  columnsOf(targets: unknown): Rows['columns'] {
    return partsOf(targets).flatMap(([, target]) => {
      const value = isNode(target['val']) ? target['val'] : {}
      const column = value['ColumnRef']
      if (!isNode(column)) return [{ name: textOf(target['name']), places: false }]
      const names = namesOf(column)
      // A star; its other columns do not matter.
      if (partsOf(column['fields']).some(([kind]) => kind === 'A_Star')) {
        const of = this.relations.filter(({ alias }) => [undefined, alias].includes(names[0]))
        return of.flatMap(({ placing }) => [...placing].map((name) => ({ name, places: true })))
      }
      const name = textOf(target['name']) || (names.at(-1) ?? '')
      return [{ name, places: this.placedBy(column) !== undefined }]
    })
  }

  private add(kind: string, node: Node): Relation[] {
    if (kind === 'JoinExpr') return this.addJoin(node)
    const relation = this.relationOf(kind, node)
    this.relations.push(relation)
    return [relation]
  }

  private addJoin(node: Node): Relation[] {
    const [left = [], right = []] = [node['larg'], node['rarg']].map((side) =>
      partsOf(side).flatMap(([kind, one]) => this.add(kind, one)),
    )
    for (const name of stringsOf(node['usingClause'])) {
      const of = (side: Relation[]) => side.find(({ placing }) => placing.has(name))
      this.pair(of(left), of(right))
    }
    this.join(node['quals'])
    return [...left, ...right]
  }

  private relationOf(kind: string, node: Node): Relation {
    const alias = isNode(node['alias']) ? textOf(node['alias']['aliasname']) : ''
    if (kind === 'RangeVar') {
      const name = textOf(node['relname'])
      const rows = this.scope.ctes.get(name)
      return rows === undefined ? tableOf(name, alias || name) : derived(alias || name, rows)
    }
    const query = isNode(node['subquery']) ? node['subquery']['SelectStmt'] : undefined
    if (!isNode(query)) return { alias, kind: 'few', group: null, placing: new Set() }
    const outer = node['lateral'] === true ? [...this.scope.outer, ...this.relations] : []
    return derived(alias, rowsOf(query, { ...this.scope, outer }))
  }

  /** Notes which relations a condition joins; each part of an `and` holds. */
  private join(value: unknown): void {
    for (const [kind, node] of partsOf(value)) {
      if (kind === 'BoolExpr' && node['boolop'] === 'AND_EXPR') this.join(node['args'])
      if (kind !== 'A_Expr' || stringsOf(node['name']).join() !== '=') continue
      const [left, right] = [node['lexpr'], node['rexpr']].map((side) => {
        const column = isNode(side) ? side['ColumnRef'] : undefined
        return isNode(column) ? this.placedBy(column) : undefined
      })
      this.pair(left, right)
    }
  }

  private pair(one: Relation | undefined, other: Relation | undefined): void {
    if (one !== undefined && other !== undefined) this.pairs.push([one, other])
  }

  /** The relation whose rows this column places. */
  private placedBy(column: Node): Relation | undefined {
    const [first = '', second] = namesOf(column)
    const nearest = [...this.relations, ...this.scope.outer.toReversed()]
    return second === undefined
      ? nearest.find(({ placing }) => placing.has(first))
      : [nearest.find(({ alias }) => alias === first)].find((found) => found?.placing.has(second))
  }

  private check(select: Node): void {
    const { outer, report } = this.scope
    for (const query of queriesBelow(select)) {
      rowsOf(query, { ...this.scope, outer: [...outer, ...this.relations] })
    }
    const placed = this.relations.filter(({ kind }) => kind === 'placed')
    const [first] = placed
    if (first === undefined) return
    const joined = this.joinedWith(first)
    for (const relation of placed.filter((one) => !joined.has(one))) {
      report(`${relation.alias} is not joined by its own column`)
    }
    // Rows that were summed up before are sent to every node.
    if (new Set([...joined].map(({ group }) => group)).size > 1) report('several groups')
    if (this.isCorrelated && !outer.some((relation) => joined.has(relation))) {
      report(`${first.alias} is not joined by its own column with the query around it`)
    }
  }

  private isOuter([first = '', second]: string[], own: ReadonlySet<string>): boolean {
    if (second === undefined || own.has(first)) return false
    return this.scope.outer.some(({ alias }) => alias === first)
  }

  /** The relations that are joined with `first`, directly or by others. */
  private joinedWith(first: Relation): ReadonlySet<Relation> {
    const joined = new Set([first])
    for (let size = 0; size < joined.size;) {
      size = joined.size
      for (const pair of this.pairs.filter((both) => both.some((one) => joined.has(one)))) {
        for (const one of pair) joined.add(one)
      }
    }
    return joined
  }
}

function tableOf(name: string, alias: string): Relation {
  const column = columnOf.get(name)
  const placing = new Set(column === undefined ? [] : [column])
  return {
    alias,
    kind: column === undefined ? 'few' : 'placed',
    group: groupOf(name) ?? null,
    placing,
  }
}

function derived(alias: string, { kind, group, columns }: Rows): Relation {
  const placing = columns.filter(({ places }) => places && kind === 'placed')
  return { alias, kind, group, placing: new Set(placing.map(({ name }) => name)) }
}

function aliasesIn(select: Node): string[] {
  return [...below(select)].flatMap(([kind, node]) =>
    kind === 'RangeVar' && !('alias' in node)
      ? [textOf(node['relname'])]
      : isNode(node['alias'])
        ? [textOf(node['alias']['aliasname'])]
        : [],
  )
}

/** The subqueries in the conditions and the results of a query, but not those in its `from`. */
function* queriesBelow(select: Node): Generator<Node> {
  for (const part of ['targetList', 'whereClause', 'havingClause', 'groupClause', 'sortClause']) {
    yield* queriesIn(select[part])
  }
  const from = [...below(select['fromClause'], (kind) => kind === 'subquery')]
  for (const [kind, node] of from) if (kind === 'JoinExpr') yield* queriesIn(node['quals'])
}

function* queriesIn(value: unknown): Generator<Node> {
  for (const [kind, node] of below(value, (one) => one === 'subselect')) {
    if (kind !== 'SubLink') continue
    const query = isNode(node['subselect']) ? node['subselect']['SelectStmt'] : undefined
    if (isNode(query)) yield query
  }
}
