import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventActor } from '@tillside/contract/integration/events'

/** The account or API key of a request, and its store; events name both. */
export type Acting = {
  /** Null: a command or a job. */
  actor: EventActor | null
  /** The code of the store; null: in none. */
  store: string | null
  /** True while practice data is made: it is no change that another system mirrors. */
  isSilent?: true
}

// The context of the request instead of an argument of every verb: one that is forgotten would not
// be noticed.
const current = new AsyncLocalStorage<Acting>()
const noActor: Acting = { actor: null, store: null }

/** Runs `work`; the events that it enqueues name this account or key and this store. */
export function actAs<T>(by: Acting, work: () => T): T {
  return current.run(by, work)
}

/** Runs `work`, which happens at this store, for the same account or key. */
export function actAt<T>(store: string | null, work: () => T): T {
  const before = acting()
  return actAs({ ...before, store: store ?? before.store }, work)
}

/** Runs `work`, which enqueues no event. */
export function withoutEvents<T>(work: () => T): T {
  return current.run({ ...acting(), isSilent: true }, work)
}

/** The account or key of the request that runs. */
export function acting(): Acting {
  return current.getStore() ?? noActor
}
