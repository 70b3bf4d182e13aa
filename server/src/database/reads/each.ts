import type { Statement, Transaction } from '../database.ts'

// Work on rows of many members: their keys are read first, then each row is locked and changed by
// the column that places it. The statements leave as one burst, so they cost one round trip.

/**
 * Locks rows one by one.
 * @param lock a query of one row that skips it when it is locked or no longer to be changed
 * @param keys the values of `lock` for each row
 * @returns those of `keys` whose rows are locked now
 */
export async function lockEach<Key extends readonly unknown[]>(
  tx: Transaction,
  lock: Statement<unknown>,
  keys: readonly Key[],
): Promise<Key[]> {
  const counts = await Promise.all(keys.map((key) => tx.run(lock, key)))
  return keys.filter((_, index) => counts[index] !== 0)
}

/**
 * Locks some of these rows, the first ones that no other transaction has locked.
 * @param most how many are wanted
 */
export async function lockSome<Key extends readonly unknown[]>(
  tx: Transaction,
  lock: Statement<unknown>,
  keys: readonly Key[],
  most: number,
): Promise<Key[]> {
  const locked: Key[] = []
  for (let from = 0; from < keys.length && locked.length < most;) {
    const next = keys.slice(from, from + most - locked.length)
    locked.push(...(await lockEach(tx, lock, next)))
    from += next.length
  }
  return locked
}

/** How many locked rows do not keep a job from deleting as many as it wants. */
const spare = 100

/** Rows to delete. `find` has `$1`, the company, and `$2`, how many; the others `$1` and a key. */
export type Old = {
  /** Reads keys of a whole company. */
  find: Statement<Record<string, unknown>>
  /** Locks the row of a key, unless it is locked or is still in use; absent: nothing uses it. */
  lock?: Statement<unknown>
  /** Deletes the row of a key. */
  drop: Statement<unknown>
}

/**
 * Deletes some old rows of a company. Rows that another transaction has locked are left.
 * @returns how many were deleted
 */
export async function dropSome(
  tx: Transaction,
  { find, lock, drop }: Old,
  companyId: string,
  limit: number,
): Promise<number> {
  const rows = await tx.all(find, [companyId, limit + spare])
  const keys = rows.map((row) => Object.values({ companyId, ...row }))
  const locked = lock === undefined ? keys.slice(0, limit) : await lockSome(tx, lock, keys, limit)
  await Promise.all(locked.map((key) => tx.run(drop, key)))
  return locked.length
}
