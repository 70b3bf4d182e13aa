import { parsePlPgSQLSync, parseSync } from 'libpg-query'
import { formOnNodes } from '@tillside/server/cluster/placement'
import { files, read } from '../tidy/files.ts'
import { below, isNode, type Node, partsOf, stringsOf, textOf } from './tree.ts'

// The statements inside of the functions that the migrations make.

/** A statement of a function; `file` is the migration that made the function last. */
export type Inner = { file: string; name: string; text: string }

/** The statements that a cluster runs. */
export function statementsOfFunctions(): Inner[] {
  const latest = new Map<string, Inner[]>()
  for (const file of files.filter((one) => /^server\/migrations\/.*\.sql$/.test(one)).toSorted()) {
    for (const { name, text, node } of functionsIn(read(file))) {
      const inner = queriesOf(text, node).map((query) => ({ file, name, text: query }))
      latest.set(name, inner)
    }
  }
  for (const [name, own] of [...latest].filter(([one]) => one.endsWith(formOnNodes))) {
    const replaced = name.slice(0, -formOnNodes.length)
    if (!latest.has(replaced)) throw new Error(`no function for one PostgreSQL: ${replaced}`)
    latest.delete(name)
    const renamed = own.map(({ file, text }) => ({ file, name: replaced, text }))
    latest.set(replaced, renamed)
  }
  return [...latest.values()].flat()
}

/**
 * The functions that these statements call, or that such a function calls. The others are kept for
 * the release before this one only.
 */
export function calledBy(texts: readonly string[], functions: readonly Inner[]): Inner[] {
  const names = new Set(functions.map(({ name }) => name))
  const called = new Set<string>()
  let next = [...texts]
  while (next.length > 0) {
    const found = new Set(
      next.flatMap((text) => Array.from(text.matchAll(/\b(\w+)\s*\(/g), ([, name = '']) => name)),
    )
    const fresh = [...found].filter((name) => names.has(name) && !called.has(name))
    for (const name of fresh) called.add(name)
    next = functions.filter(({ name }) => fresh.includes(name)).map(({ text }) => text)
  }
  return functions.filter(({ name }) => called.has(name))
}

function functionsIn(sql: string): { name: string; text: string; node: Node }[] {
  const bytes = Buffer.from(sql)
  const tree: unknown = parseSync(sql)
  const list = isNode(tree) && Array.isArray(tree['stmts']) ? tree['stmts'] : []
  return list.flatMap((one: unknown) => {
    if (!isNode(one)) return []
    const node = isNode(one['stmt']) ? one['stmt']['CreateFunctionStmt'] : undefined
    // A trigger has no member as an argument, and other rules.
    if (!isNode(node) || returnsTrigger(node) || node['is_procedure'] === true) return []
    const [from, length] = [Number(one['stmt_location'] ?? 0), Number(one['stmt_len'] ?? 0)]
    const text = bytes.subarray(from, length === 0 ? undefined : from + length).toString()
    return [{ name: stringsOf(node['funcname']).join('.'), text, node }]
  })
}

function returnsTrigger(node: Node): boolean {
  return stringsOf(isNode(node['returnType']) ? node['returnType']['names'] : []).includes(
    'trigger',
  )
}

function queriesOf(text: string, node: Node): string[] {
  if (languageOf(node) === 'plpgsql') {
    return [...below(parsePlPgSQLSync(text))].flatMap(([kind, one]) =>
      kind === 'PLpgSQL_expr' ? asStatement(textOf(one['query'])) : [],
    )
  }
  // The whole function: its body is a part of the tree, or a text.
  const body = partsOf(node['options']).flatMap(([, option]) =>
    textOf(option['defname']) === 'as' ? stringsOf(listOf(option['arg'])) : [],
  )
  return body.length > 0 ? body : [text]
}

function listOf(arg: unknown): unknown {
  const list = isNode(arg) ? arg['List'] : undefined
  return isNode(list) ? list['items'] : []
}

function languageOf(node: Node): string {
  const found = partsOf(node['options']).find(([, option]) => option['defname'] === 'language')
  const arg = found?.[1]['arg']
  const text = isNode(arg) ? arg['String'] : undefined
  return isNode(text) ? textOf(text['sval']) : ''
}

/** An expression of PL/pgSQL is no statement. One without a query or a call has no rules. */
function asStatement(query: string): string[] {
  if (!/\b(select|insert|update|delete|with)\b|\w\s*\(/i.test(query)) return []
  const assigned = query.replace(/^\s*\w+\s*:=/, '')
  return [
    /^\s*(select|insert|update|delete|with|merge|create)\b/i.test(assigned)
      ? assigned
      : `select ${assigned}`,
  ]
}
