import { type LoginInfo, logout } from '@tillside/contract/auth'
import { call } from './call.ts'
import { HttpFailure, isCancelled } from './failure.ts'

/** Pauses before the second attempt and the following ones; in ms. */
const pauses = [1_000, 5_000, 30_000]

/**
 * Ends a session on the server that this device no longer uses. The call continues when the page
 * is left. If the server cannot be reached, the session expires later.
 */
export async function endSession({ token }: Pick<LoginInfo, 'token'>): Promise<void> {
  for (const pause of [...pauses, null]) {
    try {
      await call(logout, {}, { quiet: true, token, keepalive: true })
      return
    } catch (error) {
      // After a 401 the session has already ended.
      const isFinal = error instanceof HttpFailure ? error.status < 500 : isCancelled(error)
      if (isFinal || pause === null) return
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
