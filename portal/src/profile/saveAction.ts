import type { LoginInfo } from '@tillside/contract/auth'
import type { Input } from '@tillside/contract/wire/endpoint'
import { updateCustomer } from '@tillside/contract/member'
import { operationStatus } from '@tillside/contract/wire/operation'
import { createAction, newKey } from '../kit/action/action.ts'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import { session } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'

/** The action that saves the changes of a profile. */
export function createSaveAction(
  clerk: LoginInfo | null,
  input: Input<typeof updateCustomer>,
  onRefused: (refusal: Refusal) => void,
) {
  return createAction({
    endpoint: updateCustomer,
    input,
    keyName: `${session.keyOf('profile')}:${clerk?.staff.account ?? ''}:${newKey()}`,
    send: async (asked, key) => {
      try {
        return await call(updateCustomer, asked, { key, quiet: true })
      } catch (error) {
        if (error instanceof Refusal) onRefused(error)
        throw error
      }
    },
    check: (key) => call(operationStatus, { key }, { quiet: true }),
    // After a reload the page shows the server's data, so the result need not be checked.
    store: tabStorage,
  })
}
