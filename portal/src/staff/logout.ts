import { logout } from '@tillside/contract/auth'
import { call } from '../kit/call/call.ts'
import { forgetDrafts } from '../kit/store/draft.ts'
import { session } from '../kit/call/session.ts'
import { emptyShelf, tabShelf } from '../kit/store/shelf.ts'

/** Ends the session: here at once, whatever becomes of the word to the server. */
export function logOut(): void {
  void leave()
}

/** The same for who waits until the server knows; it never fails. */
export async function leave(): Promise<void> {
  const farewell = session.token() === null ? null : call(logout, {}, { quiet: true })
  session.close()
  forgetDrafts()
  // Names of members stand in it.
  emptyShelf(tabShelf)
  await farewell?.catch(() => undefined)
}
