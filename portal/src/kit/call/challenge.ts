import { passwordAsked } from './portalState.ts'

let asking: Promise<boolean> | null = null

/**
 * Asks the clerk for the password, once for all calls that wait for it.
 * @returns whether it was confirmed, so that the refused call can be sent again
 */
export function askPassword(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => passwordAsked.set({ answer: resolve })).finally(
    () => {
      asking = null
      passwordAsked.set(null)
    },
  )
  return asking
}
