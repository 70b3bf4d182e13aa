import { files, read } from '../tidy/files.ts'
import { below, isNode, type Node, partsOf, stringsOf, textOf } from './tree.ts'

// Citus evaluates a value of an insert, or a column's default, once for the whole statement. An
// insert with `unnest` writes several rows, so their ids have to come from an array too.

const makesRows = /^(unnest|generate_series|jsonb?_array_elements(_text)?|regexp_split_to_table)$/
const makesIds = /^(uuidv7|gen_random_uuid)$/

/** Whether an insert of several rows by `unnest` gives all of them the same id on a cluster. */
export function hasSharedId(insert: Node): boolean {
  const [relation, source] = [insert['relation'], insert['selectStmt']]
  const select = isNode(source) ? source['SelectStmt'] : undefined
  if (!isNode(relation) || !isNode(select)) return false
  const calls = [...below(select['valuesLists'])].flatMap(([kind, node]) =>
    kind === 'FuncCall' ? stringsOf(node['funcname']) : [],
  )
  if (!calls.some((name) => makesRows.test(name))) return false
  const given = new Set(partsOf(insert['cols']).map(([, { name }]) => textOf(name)))
  const defaults = defaultIds().get(textOf(relation['relname'])) ?? []
  return calls.some((name) => makesIds.test(name)) || defaults.some((column) => !given.has(column))
}

let found: ReadonlyMap<string, string[]> | undefined

/** The columns of each table whose default makes an id, as the migrations declare them. */
function defaultIds(): ReadonlyMap<string, string[]> {
  if (found !== undefined) return found
  const columns = new Map<string, string[]>()
  for (const file of files.filter((one) => /^server\/migrations\/.*\.sql$/.test(one))) {
    let table = ''
    for (const line of read(file).split('\n')) {
      table = /^(?:create (?:unlogged )?|alter )table (\w+)/.exec(line)?.[1] ?? table
      const column = /(\w+) uuid .*default (?:uuidv7|gen_random_uuid)\(\)/.exec(line)?.[1]
      if (column !== undefined) columns.set(table, [...(columns.get(table) ?? []), column])
    }
  }
  found = columns
  return columns
}
