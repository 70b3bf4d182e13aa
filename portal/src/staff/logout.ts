import { logout } from '@tillside/contract/auth'
import { call } from '../kit/call.ts'
import { session } from '../kit/session.ts'

/** Ends the session: here at once, whatever becomes of the word to the server. */
export function logOut(): void {
  const farewell = call(logout, {}, { quiet: true })
  session.close()
  farewell.catch(() => undefined)
}
