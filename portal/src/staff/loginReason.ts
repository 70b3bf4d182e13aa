import { createStore } from '../kit/store/store.ts'

/** Why a clerk finds themselves at the login form without having asked for it. */
export type LoginReason =
  | 'expired'
  | 'authFailed'
  | 'permissionsChanged'
  | 'linkInvalid'
  | 'storeInactive'

/** Said once above the form, and forgotten with the next login. */
export const loginReason = createStore<LoginReason | null>(null)
