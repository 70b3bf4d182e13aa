import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { createStore } from '../store/store.ts'

// State that a call can change for the whole portal, not only for the screen that made the call.

/** The server no longer accepts the session (HTTP 401). */
export const sessionLost = createStore(false)

/** Another tab uses another company; `closed` after the clerk has confirmed the message. */
export const otherCompany = createStore<'opened' | 'closed' | null>(null)

/** The endpoints that have answered without a refusal since the page was opened. */
export const answered = createStore<readonly Endpoint[]>([])

/** The server has a different version of the program than this page. */
export const newVersion = createStore(false)

/** A call that moves value has been sent and not been answered. */
export const valueCallPending = createStore(false)

/**
 * The clerk's permissions changed (code 10000); `pending`: another call that moves value was in
 * flight, so its result is unknown.
 */
export const permissionsChanged = createStore<{ pending: boolean } | null>(null)

/** The server asks for the password before it answers more look-ups. */
export const passwordAsked = createStore<{ answer: (confirmed: boolean) => void } | null>(null)
