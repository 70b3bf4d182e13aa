import type { LoginInfo } from '@tillside/contract/auth'
import type { Input } from '@tillside/contract/wire/endpoint'
import { createCustomer } from '@tillside/contract/member'
import { operationStatus } from '@tillside/contract/wire/operation'
import { createAction, newKey, unansweredKeyNames } from '../kit/action/action.ts'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import { session } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'

// The clerk is part of the name, because the server answers only the clerk who sent the key.
const keyPrefix = (clerk: LoginInfo | null) =>
  `${session.keyOf('register')}:${clerk?.staff.account ?? ''}:`

const check = (key: string) => call(operationStatus, { key }, { quiet: true })

/**
 * The action that registers a member. Only its key is stored: after a reload the result can be
 * checked, but no customer data can be read from the device.
 */
export function createRegistration(
  clerk: LoginInfo | null,
  input: Input<typeof createCustomer>,
  onRefused: (refusal: Refusal) => void,
) {
  return createAction({
    endpoint: createCustomer,
    input,
    keyName: keyPrefix(clerk) + newKey(),
    send: async (asked, key) => {
      try {
        return await call(createCustomer, asked, { key, quiet: true })
      } catch (error) {
        if (error instanceof Refusal) onRefused(error)
        throw error
      }
    },
    check,
    store: tabStorage,
  })
}

/** The unanswered registrations of this clerk in this tab, also from before a reload. */
export function unansweredRegistrations(clerk: LoginInfo): string[] {
  return unansweredKeyNames(tabStorage, keyPrefix(clerk))
}

/** An action for an unanswered registration; it can only check the result. */
export function resumeRegistration(keyName: string) {
  return createAction({
    endpoint: createCustomer,
    input: { tncVersion: '-', marketingOptIn: false },
    keyName,
    send: () => Promise.reject(new Error('what was typed is gone with the page')),
    check,
    store: tabStorage,
  })
}
