import { createStore } from '../kit/store/store.ts'

/** Why the clerk was sent to the login form. */
export type LoginReason =
  | 'expired'
  | 'authFailed'
  | 'permissionsChanged'
  | 'linkInvalid'
  | 'storeInactive'

/** Shown once above the form, and cleared by the next login. */
export const loginReason = createStore<LoginReason | null>(null)
