import { logout } from '@tillside/contract/auth'
import { call } from '../kit/call.ts'
import { forgetDrafts } from '../kit/draft.ts'
import { session } from '../kit/session.ts'
import { emptyShelf, tabShelf } from '../kit/shelf.ts'

/** Ends the session: here at once, whatever becomes of the word to the server. */
export function logOut(): void {
  const farewell = call(logout, {}, { quiet: true })
  session.close()
  forgetDrafts()
  // Names of members stand in it.
  emptyShelf(tabShelf)
  farewell.catch(() => undefined)
}
