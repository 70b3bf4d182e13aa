// The syntax tree of PostgreSQL's own parser (`libpg-query`), as JSON.

export type Node = { readonly [key: string]: unknown }

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The named parts of a node, each with its kind: `[kind, node]`. A list has several. */
export function partsOf(value: unknown): [kind: string, node: Node][] {
  if (Array.isArray(value)) return value.flatMap(partsOf)
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([kind, node]): [string, Node][] =>
    isNode(node) ? [[kind, node]] : [],
  )
}

/** Every node below `value`, with its kind; `skip` leaves out a node with everything below it. */
export function* below(
  value: unknown,
  skip: (kind: string) => boolean = () => false,
): Generator<[kind: string, node: Node]> {
  if (Array.isArray(value)) {
    for (const one of value) yield* below(one, skip)
    return
  }
  if (!isNode(value)) return
  for (const [kind, node] of Object.entries(value)) {
    if (skip(kind)) continue
    if (isNode(node)) yield [kind, node]
    yield* below(node, skip)
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The names of a column, such as `['c', 'company_id']`; a star is left out. */
export function namesOf(column: Node): string[] {
  return stringsOf(column['fields'])
}

/** The texts of a list of names. */
export function stringsOf(list: unknown): string[] {
  return partsOf(list).flatMap(([kind, node]) => (kind === 'String' ? [textOf(node['sval'])] : []))
}
