import { type Data, type Endpoint, Envelope, type Input } from '@tillside/contract/wire/endpoint'
import { type operationStatus, OperationKey } from '@tillside/contract/wire/operation'
import * as z from 'zod/mini'
import { HttpFailure, Refusal } from '../call/failure.ts'
import type { TextStorage } from '../store/storage.ts'
import { createStore } from '../store/store.ts'

// The one way to make a call that moves value. It asks once, never by itself a second time,
// and when the answer is lost it says so instead of guessing.

export type ActionState<T> =
  | { step: 'idle' }
  | { step: 'confirm' }
  | { step: 'sending' }
  | { step: 'done'; data: T }
  /** `again`: the request never reached the rules, so the clerk may send it once more. */
  | { step: 'refused'; message: string; again: boolean }
  | { step: 'unknown'; checking: boolean; running: boolean }
  /** The server knows nothing of the key: nothing has moved, and it may be sent again. */
  | { step: 'checked' }

export type ActionEvent<T> =
  | { type: 'open'; unanswered: boolean }
  | { type: 'close' }
  | { type: 'send' }
  | { type: 'check' }
  | { type: 'answered'; data: T }
  | { type: 'refused'; message: string; again: boolean }
  | { type: 'lost' }
  | { type: 'running' }
  | { type: 'intact' }

/** The state after an event; an event that does not belong to the state changes nothing. */
export function nextState<T>(state: ActionState<T>, event: ActionEvent<T>): ActionState<T> {
  if (isBusy(state)) return stateAfterAnswer(state, event)
  if (event.type === 'close') return { step: 'idle' }
  if (event.type === 'open' && state.step === 'idle') {
    return event.unanswered ? unsure(false) : { step: 'confirm' }
  }
  if (event.type === 'send' && maySend(state)) return { step: 'sending' }
  if (event.type === 'check' && state.step === 'unknown') return { ...state, checking: true }
  return state
}

/** How the call that is under way can end; until then it cannot be closed or sent again. */
function stateAfterAnswer<T>(state: ActionState<T>, event: ActionEvent<T>): ActionState<T> {
  if (event.type === 'answered') return { step: 'done', data: event.data }
  if (event.type === 'refused') {
    return { step: 'refused', message: event.message, again: event.again }
  }
  if (event.type === 'running') return unsure(true)
  if (event.type === 'lost') return unsure(state.step === 'unknown' && state.running)
  if (event.type === 'intact') return { step: 'checked' }
  return state
}

function unsure(running: boolean): { step: 'unknown'; checking: boolean; running: boolean } {
  return { step: 'unknown', checking: false, running }
}

/** An answer is on its way, so the sheet may not be closed and nothing may be sent. */
export function isBusy<T>(state: ActionState<T>): boolean {
  return state.step === 'sending' || (state.step === 'unknown' && state.checking)
}

/** Whether the clerk may press the button that moves value. */
export function maySend<T>(state: ActionState<T>): boolean {
  if (state.step === 'refused') return state.again
  return state.step === 'confirm' || state.step === 'checked'
}

export type ActionOptions<E extends Endpoint> = {
  endpoint: E
  input: Input<E>
  /** Whose value moves, and what: a key of it is kept under this name until it is answered. */
  keyName: string
  send: (input: Input<E>, key: string) => Promise<Data<E>>
  check: (key: string) => Promise<Data<typeof operationStatus>>
  store: TextStorage
}

export type Action<T> = {
  state: () => ActionState<T>
  subscribe: (listener: () => void) => () => void
  open: () => void
  close: () => void
  send: () => Promise<void>
  check: () => Promise<void>
  /** Gives up a request of which the server knows nothing. */
  drop: () => void
}

/** Makes the machine for one request; it starts idle and knows a key that a reload left behind. */
export function createAction<E extends Endpoint>(options: ActionOptions<E>): Action<Data<E>> {
  const keys = keyStorage(options.store, options.keyName)
  const listeners = new Set<() => void>()
  let state: ActionState<Data<E>> = { step: 'idle' }

  function dispatch(event: ActionEvent<Data<E>>): boolean {
    const after = nextState(state, event)
    if (after === state) return false
    state = after
    for (const listener of listeners) listener()
    return true
  }

  function settle(event: ActionEvent<Data<E>>): void {
    keys.forget()
    dispatch(event)
  }

  async function send(): Promise<void> {
    if (!dispatch({ type: 'send' })) return
    const key = keys.kept() ?? keys.keep(newKey())
    try {
      settle({ type: 'answered', data: await options.send(options.input, key) })
    } catch (error) {
      const event = eventOfError<Data<E>>(error)
      // Where it may still be sent, it is sent under the key that it has.
      if (event.type === 'lost' || event.type === 'intact') dispatch(event)
      else settle(event)
    }
  }

  async function check(): Promise<void> {
    const key = keys.kept()
    if (key === null || !dispatch({ type: 'check' })) return
    try {
      const { state: found, answer } = await options.check(key)
      if (found === 'unknown') dispatch({ type: 'intact' })
      else if (found === 'running' || answer === null) dispatch({ type: 'running' })
      else settle(eventOfAnswer(options.endpoint, answer))
    } catch {
      dispatch({ type: 'lost' })
    }
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: () => dispatch({ type: 'open', unanswered: keys.kept() !== null }),
    close: () => dispatch({ type: 'close' }),
    send,
    check,
    drop: () => {
      if (state.step === 'checked') settle({ type: 'close' })
    },
  }
}

/** What a failed call says about the value. A server that stumbled may still have moved it. */
function eventOfError<T>(error: unknown): ActionEvent<T> {
  if (error instanceof Refusal) return { type: 'refused', message: error.message, again: false }
  if (error instanceof HttpFailure && error.status < 500) {
    return { type: 'refused', message: error.message, again: true }
  }
  if (error instanceof HttpFailure && error.unchanged) return { type: 'intact' }
  return { type: 'lost' }
}

/** The stored answer of a call, read as if it had just arrived. */
function eventOfAnswer<E extends Endpoint>(endpoint: E, answer: Envelope): ActionEvent<Data<E>> {
  if (answer.code !== 0) return { type: 'refused', message: answer.message, again: false }
  return { type: 'answered', data: z.parse<E['data']>(endpoint.data, answer.data) }
}

const prefix = 'tillside:unanswered:'

/** The subjects that begin so and whose calls were never answered, in this tab. */
export function unansweredKeyNames(store: TextStorage, beginning: string): string[] {
  return store
    .names()
    .filter((name) => name.startsWith(prefix + beginning))
    .map((name) => name.slice(prefix.length))
}

/** Changes whenever a request begins to await its answer, or has had it. */
export const storedKeysRevision = createStore(0)

/** Keeps one key where a reload finds it. */
function keyStorage(store: TextStorage, keyName: string) {
  const name = prefix + keyName
  return {
    kept(): string | null {
      const stored = z.safeParse(OperationKey, store.getItem(name))
      return stored.success ? stored.data : null
    },
    keep(key: string): string {
      store.setItem(name, key)
      storedKeysRevision.set(storedKeysRevision.get() + 1)
      return key
    },
    forget() {
      store.removeItem(name)
      storedKeysRevision.set(storedKeysRevision.get() + 1)
    },
  }
}

/** A random UUID. `crypto.randomUUID` would do, but a till on plain http does not have it. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant.toString(16)}${hex.slice(18, 20)}`,
    hex.slice(20),
  ]
  return parts.join('-')
}
