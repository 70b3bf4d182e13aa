/** Rows that have no name of their own, each with its place for one: two may be alike. */
export function withIndex<T>(rows: readonly T[]): [number, T][] {
  return [...rows.entries()]
}
