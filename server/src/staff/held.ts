import type { Caller } from '../database/context.ts'
import type { Held } from '../http/at-once/held.ts'

// A call in one round trip is sent before the session has been read. So it names the holder that
// this process read last, and PostgreSQL runs it only for exactly that holder.

type SessionRow = {
  revision: number
  time_zone: string
  group_code: string
  permissions: readonly string[]
  menus: readonly string[]
  version: number
  permission_version: number
  store_code: string
  store_name: string
}

const columns = [
  'revision',
  'time_zone',
  'group_code',
  'permissions',
  'menus',
  'version',
  'permission_version',
  'store_code',
  'store_name',
] as const

const kept = new Map<string, Held>()
const most = 2_000

/** Keeps the holder of a valid session; of many, the last ones. */
export function remember(tokenHash: Buffer, caller: Caller, row: SessionRow): void {
  const key = keyOf(tokenHash)
  kept.delete(key)
  kept.set(key, { caller, values: columns.map((name) => row[name]) })
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
}

/** The holder that this process read last, who may have changed since; null when it knows none. */
export function lastHolder({ hash }: { hash: Buffer }): Held | null {
  return kept.get(keyOf(hash)) ?? null
}

/**
 * SQL: whether the session's row `h` is the one that was read last. The values are the parameters
 * from number `first` on.
 * @returns also the number of the first parameter after them
 */
export function heldWhere(first: number): { sql: string; next: number } {
  const parts = columns.map((name, n) => `h.${name} = $${first + n}`)
  return { sql: parts.join(' and '), next: first + columns.length }
}

function keyOf(hash: Buffer): string {
  return hash.toString('latin1')
}
