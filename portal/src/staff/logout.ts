import { logout } from '@tillside/contract/auth'
import { call } from '../kit/call/call.ts'
import { forgetDrafts } from '../kit/store/draft.ts'
import { session } from '../kit/call/session.ts'
import { clearStorage, tabStorage } from '../kit/store/storage.ts'

/** Ends the session: here at once, whatever becomes of the word to the server. */
export function logOut(): void {
  void logOutAndWait()
}

/** The same for who waits until the server knows; it never fails. */
export async function logOutAndWait(): Promise<void> {
  const request = session.token() === null ? null : call(logout, {}, { quiet: true })
  session.close()
  forgetDrafts()
  // Names of members stand in it.
  clearStorage(tabStorage)
  await request?.catch(() => undefined)
}
