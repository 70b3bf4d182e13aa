import type { Caller } from '../../database/context.ts'

/** The holder of a session as an earlier request of this process has read it. */
export type Held = {
  caller: Omit<Caller, 'now' | 'today'>
  /** The values by which PostgreSQL checks that the session's row is still the same. */
  values: readonly unknown[]
}

/** What the server needs for changes in one round trip. */
export type AtOnce = {
  lastHolder: (token: { hash: Buffer }) => Held | null
  /** Counts a call by its path, and whether the function answered it. */
  count: (path: string, isAnswered: boolean) => void
}
