import { logout } from '@tillside/contract/auth'
import { call } from '../kit/call/call.ts'
import { forgetDrafts } from '../kit/store/draft.ts'
import { session } from '../kit/call/session.ts'
import { clearStorage, tabStorage } from '../kit/store/storage.ts'

/** Ends the session on this device at once; the server is informed in the background. */
export function logOut(): void {
  void logOutAndWait()
}

/** The same, but waits for the server's answer. It never fails. */
export async function logOutAndWait(): Promise<void> {
  const request =
    session.token() === null ? null : call(logout, {}, { quiet: true, keepalive: true })
  session.close()
  forgetDrafts()
  // Its entries contain members' names.
  clearStorage(tabStorage)
  await request?.catch(() => undefined)
}
