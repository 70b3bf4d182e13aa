import { isDeepStrictEqual } from 'node:util'
import type { Row, Table } from './rows.ts'

/** One change made by applying a definition. */
export type Change = {
  action: 'add' | 'change' | 'stop'
  noun: string
  key: string
  /** The changed fields; empty for new rows. */
  fields: { name: string; from: unknown; to: unknown }[]
}

/** The rows to write so that a table contains what is wanted. */
export function differenceOf(
  table: Table,
  current: readonly Row[],
  wanted: readonly Row[],
): { changes: Change[]; rows: Row[] } {
  const { noun } = table
  const keyOf = (row: Row) => String(row[table.key])
  const before = new Map(current.map((row) => [keyOf(row), row]))
  const named = new Set(wanted.map(keyOf))
  const rows: Row[] = []
  const changes: Change[] = []
  for (const row of wanted) {
    const was = before.get(keyOf(row))
    const fields = was === undefined ? [] : changedFields(was, row)
    if (was !== undefined && fields.length === 0) continue
    rows.push(row)
    changes.push({ action: was === undefined ? 'add' : 'change', noun, key: keyOf(row), fields })
  }
  for (const row of current) {
    const fields = changedFields(row, { ...row, ...table.stopped })
    if (named.has(keyOf(row)) || fields.length === 0) continue
    rows.push({ ...row, ...table.stopped })
    changes.push({ action: 'stop', noun, key: keyOf(row), fields })
  }
  return { changes, rows }
}

/** Fields whose values differ, ignoring the order of keys within a value. */
export function changedFields(from: Row, to: Row): Change['fields'] {
  return Object.keys(to)
    .filter((name) => !isDeepStrictEqual(from[name], to[name]))
    .map((name) => ({ name, from: from[name], to: to[name] }))
}

/**
 * One line for the operator: `change tier gold: threshold "5000.00" → "6000.00"`. Within objects
 * and lists it names each changed value: `points.promotions.SPRING.award.multiplier "2" → "3"`.
 */
export function describe(change: Change): string {
  const fields = change.fields.flatMap(({ name, from, to }) => valuesIn(name, from, to))
  const head = `${change.action} ${change.noun} ${change.key}`
  return fields.length === 0 ? head : `${head}: ${fields.join(', ')}`
}

/** `path old → new` of each value that differs. */
function valuesIn(path: string, from: unknown, to: unknown): string[] {
  if (isDeepStrictEqual(from, to)) return []
  if (isObject(from) && isObject(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    return keys.flatMap((key) => valuesIn(`${path}.${key}`, from[key], to[key]))
  }
  if (Array.isArray(from) && Array.isArray(to)) return elementsIn(path, from, to)
  return [`${path} ${excerpt(from, to)} → ${excerpt(to, from)}`]
}

/** Elements are compared by their identity, so that one more element does not change all others. */
function elementsIn(path: string, from: readonly unknown[], to: readonly unknown[]): string[] {
  const before = new Map(from.map((item) => [identityOf(item), item]))
  const after = new Map(to.map((item) => [identityOf(item), item]))
  const isUnique = before.size === from.length && after.size === to.length
  if (!isUnique) return [`${path} ${excerpt(from, to)} → ${excerpt(to, from)}`]
  const [oldOrder, newOrder] = [namesIn(from, after), namesIn(to, before)]
  const nameOf = (item: unknown) => (isObject(item) ? `${path}.${identityOf(item)}` : path)
  return [
    ...from
      .filter((item) => !after.has(identityOf(item)))
      .map((item) => `${nameOf(item)} ${excerpt(item, null)} → nothing`),
    ...to.flatMap((item) =>
      before.has(identityOf(item))
        ? valuesIn(nameOf(item), before.get(identityOf(item)), item)
        : [`${nameOf(item)} nothing → ${excerpt(item, null)}`],
    ),
    ...(isDeepStrictEqual(oldOrder, newOrder)
      ? []
      : [`order of ${path} ${oldOrder.join(' ')} → ${newOrder.join(' ')}`]),
  ]
}

/** The names of the elements that both lists have, in the order of this one. */
function namesIn(list: readonly unknown[], other: ReadonlyMap<string, unknown>): string[] {
  return list.map(identityOf).filter((name) => other.has(name))
}

/** The name by which an element of a list is the same one in two definitions. */
export function identityOf(item: unknown): string {
  const name = isObject(item) ? (item['id'] ?? item['code'] ?? item['name'] ?? item) : item
  return typeof name === 'string' ? name : JSON.stringify(name)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const mostCharacters = 60

/** A value as JSON. Of a long one, the part in which it begins to differ from the other one. */
function excerpt(value: unknown, other: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  if (text.length <= mostCharacters) return text
  const compared = JSON.stringify(other) ?? ''
  let same = 0
  while (same < text.length && text[same] === compared[same]) same += 1
  const begin = Math.max(0, Math.min(same - 20, text.length - mostCharacters))
  const part = text.slice(begin, begin + mostCharacters)
  return `${begin > 0 ? '…' : ''}${part}${begin + part.length < text.length ? '…' : ''}`
}
