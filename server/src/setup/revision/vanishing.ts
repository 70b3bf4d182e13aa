import * as z from 'zod/mini'
import type { Transaction } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import { type Change, identityOf, isObject } from '../difference.ts'

const readAffected = wholeCompany(
  `select 'store' as noun, store_code as key, count(*)::int as count, 'staff account' as what
   from staff where company_id = $1 and disabled_at is null group by store_code
   union all select 'group', group_code, count(*)::int, 'staff account'
   from staff where company_id = $1 and disabled_at is null group by group_code
   union all select 'tier', tier_code, count(*)::int, 'member'
   from member_tier where company_id = $1 group by tier_code`,
  z.object({ noun: z.string(), key: z.string(), count: z.int(), what: z.string() }),
)

/**
 * Lists what a company loses by these changes: stopped rows, closed stores, and elements of lists
 * and settings that the new definition lacks.
 * @returns one line for each, with the number of accounts or members that it affects
 */
export async function vanishing(
  tx: Transaction,
  companyId: string,
  changes: readonly Change[],
): Promise<string[]> {
  const found = changes.flatMap((change) =>
    lossesOf(change).map((line) => ({ line, whole: line === nameOf(change), change })),
  )
  if (!found.some(({ whole }) => whole)) return found.map(({ line }) => line)
  const affected = await tx.all(readAffected, [companyId])
  return found.map(({ line, whole, change }) => {
    const row = affected.find(({ noun, key }) => noun === change.noun && key === change.key)
    if (!whole || row === undefined) return line
    return `${line} (${row.count} ${row.what}${row.count === 1 ? '' : 's'})`
  })
}

function lossesOf(change: Change): string[] {
  const closes = change.fields.some(({ name, from }) => name === 'active' && from === true)
  if (change.action === 'stop' || closes) return [nameOf(change)]
  if (change.action === 'add') return []
  return change.fields.flatMap(({ name, from, to }) =>
    missing(name, from, to).map((path) => `${nameOf(change)}: ${path}`),
  )
}

function nameOf({ noun, key }: Change): string {
  return `${noun} ${key}`
}

/** Paths of the elements and objects of `from` that `to` lacks. */
function missing(path: string, from: unknown, to: unknown): string[] {
  if (Array.isArray(from)) {
    const kept = new Map((Array.isArray(to) ? to : []).map((item) => [identityOf(item), item]))
    // Null in place of a list removes a restriction, so nothing is lost.
    if (to === null) return []
    return from.flatMap((item) => {
      const identity = identityOf(item)
      return kept.has(identity)
        ? missing(`${path} ${identity}`, item, kept.get(identity))
        : [`${path} ${identity}`]
    })
  }
  if (!isObject(from)) return []
  if (!isObject(to)) return [path]
  return Object.entries(from).flatMap(([key, value]) =>
    key in to ? missing(`${path}.${key}`, value, to[key]) : [`${path}.${key}`],
  )
}
