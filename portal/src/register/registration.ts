import type { LoginInfo } from '@tillside/contract/auth'
import type { Input } from '@tillside/contract/wire/endpoint'
import { createCustomer } from '@tillside/contract/member'
import { operationStatus } from '@tillside/contract/wire/operation'
import { createAction, newKey, unansweredKeyNames } from '../kit/action/action.ts'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import { session } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'

// A key belongs to the clerk who sent it: nobody else could ask what became of it.
const keyPrefix = (clerk: LoginInfo | null) =>
  `${session.keyOf('register')}:${clerk?.staff.account ?? ''}:`

const check = (key: string) => call(operationStatus, { key }, { quiet: true })

/**
 * One attempt to make a member. Nothing that was typed is kept beside its key: whoever finds the
 * key after a reload can ask what became of it, and nobody can read whom it was about.
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

/** What this clerk sent from this tab and never heard of, also before a reload. */
export function unansweredRegistrations(clerk: LoginInfo): string[] {
  return unansweredKeyNames(tabStorage, keyPrefix(clerk))
}

/** Takes up such a one, only to ask what became of it. */
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
