import { createStore } from '../store/store.ts'

// What a call can learn that concerns the whole portal rather than the screen that asked.

/** The server no longer knows the session (HTTP 401). */
export const sessionLost = createStore(false)

/** Another tab serves another company; `closed` once the clerk has been told. */
export const otherCompany = createStore<'opened' | 'closed' | null>(null)

/** The server has another version of the program than this page. */
export const newVersion = createStore(false)

/** A call that moves value has been sent and not been answered. */
export const valueCallPending = createStore(false)

/** The clerk's permissions changed (code 10000); `pending`: a value-moving call was in flight. */
export const permissionsChanged = createStore<{ pending: boolean } | null>(null)
