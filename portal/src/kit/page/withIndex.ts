/** Pairs each row with its index, as the key of rows that have no identifier. */
export function withIndex<T>(rows: readonly T[]): [number, T][] {
  return [...rows.entries()]
}
