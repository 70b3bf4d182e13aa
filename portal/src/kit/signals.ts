import { createStore } from './store.ts'

// What a call can learn that concerns the whole portal rather than the screen that asked.

/** The server no longer knows the session (HTTP 401). */
export const sessionLost = createStore(false)

/** A call that moves value has been sent and not been answered. */
export const valueMoving = createStore(false)

/** The clerk's permissions changed (code 10000); `pending`: a value-moving call was in flight. */
export const permissionsChanged = createStore<{ pending: boolean } | null>(null)
