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

/** One line for the operator: `change tier gold: threshold "5000.00" → "6000.00"`. */
export function describe(change: Change): string {
  const fields = change.fields.map(
    ({ name, from, to }) => `${name} ${shortened(from)} → ${shortened(to)}`,
  )
  const head = `${change.action} ${change.noun} ${change.key}`
  return fields.length === 0 ? head : `${head}: ${fields.join(', ')}`
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`
}
