import { type Data, type Endpoint, Envelope, type Input } from '@tillside/contract/wire/endpoint'
import { type operationStatus, OperationKey } from '@tillside/contract/wire/operation'
import * as z from 'zod/mini'
import { HttpFailure, reasonOf, Refusal } from '../call/failure.ts'
import type { TextStorage } from '../store/storage.ts'
import { createStore } from '../store/store.ts'

// The state machine for every call that moves value. It sends once and never repeats the request by
// itself. If the answer is lost, it reports the result as unknown.

export type ActionState<T> =
  | { step: 'idle' }
  | { step: 'confirm' }
  | { step: 'sending' }
  | { step: 'done'; data: T }
  /** `again`: the request was rejected before it was processed, so the clerk may send it again. */
  | { step: 'refused'; message: string; again: boolean }
  /** `reason`: the HTTP error that came instead of an answer. */
  | { step: 'unknown'; checking: boolean; running: boolean; reason?: string | undefined }
  /** The server does not know the key: nothing has happened, and the request may be sent again. */
  | { step: 'checked' }

export type ActionEvent<T> =
  | { type: 'open'; unanswered: boolean }
  | { type: 'close' }
  | { type: 'send' }
  | { type: 'check' }
  | { type: 'answered'; data: T }
  | { type: 'refused'; message: string; again: boolean }
  | { type: 'lost'; reason?: string | undefined }
  | { type: 'running' }
  | { type: 'intact' }

/** The state after an event. An event that is not valid in the state leaves it unchanged. */
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

/** How a pending call can end. Until then the sheet can be neither closed nor sent again. */
function stateAfterAnswer<T>(state: ActionState<T>, event: ActionEvent<T>): ActionState<T> {
  if (event.type === 'answered') return { step: 'done', data: event.data }
  if (event.type === 'refused') {
    return { step: 'refused', message: event.message, again: event.again }
  }
  if (event.type === 'running') return unsure(true)
  if (event.type === 'lost') {
    return unsure(state.step === 'unknown' && state.running, event.reason)
  }
  if (event.type === 'intact') return { step: 'checked' }
  return state
}

function unsure<T>(running: boolean, reason?: string): ActionState<T> {
  return { step: 'unknown', checking: false, running, reason }
}

/** Whether an answer is pending: the sheet cannot be closed, and nothing can be sent. */
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
  /**
   * The name under which the idempotency key is stored until the request is answered. It identifies
   * the clerk, the member and the request.
   */
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
  /** The key of the answered request, which a slip prints; null before the answer. */
  operation: () => string | null
  /** Forgets a request that the server does not know. */
  drop: () => void
}

/**
 * Creates the state machine of one request. It starts idle, and reuses a key that was stored before
 * a reload.
 */
export function createAction<E extends Endpoint>(options: ActionOptions<E>): Action<Data<E>> {
  const keys = keyStorage(options.store, options.keyName)
  const listeners = new Set<() => void>()
  let state: ActionState<Data<E>> = { step: 'idle' }
  let answered: string | null = null

  function dispatch(event: ActionEvent<Data<E>>): boolean {
    const after = nextState(state, event)
    if (after === state) return false
    state = after
    for (const listener of listeners) listener()
    return true
  }

  function settle(event: ActionEvent<Data<E>>): void {
    if (event.type === 'answered') answered = keys.kept()
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
      // The request can still be sent, so its key is kept.
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
    operation: () => answered,
    drop: () => {
      if (state.step === 'checked') settle({ type: 'close' })
    },
  }
}

/** Maps an error to an event. After a 5xx error the value may have moved all the same. */
function eventOfError<T>(error: unknown): ActionEvent<T> {
  if (error instanceof Refusal) return { type: 'refused', message: error.message, again: false }
  if (error instanceof HttpFailure && error.status < 500) {
    return { type: 'refused', message: error.message, again: true }
  }
  if (error instanceof HttpFailure && error.unchanged) return { type: 'intact' }
  return { type: 'lost', reason: reasonOf(error) ?? undefined }
}

/** Handles the stored answer of a call like a fresh one. */
function eventOfAnswer<E extends Endpoint>(endpoint: E, answer: Envelope): ActionEvent<Data<E>> {
  if (answer.code !== 0) return { type: 'refused', message: answer.message, again: false }
  return { type: 'answered', data: z.parse<E['data']>(endpoint.data, answer.data) }
}

const prefix = 'tillside:unanswered:'

/**
 * The names of all keys in this tab that begin with `beginning` and whose requests got no answer.
 */
export function unansweredKeyNames(store: TextStorage, beginning: string): string[] {
  return store
    .names()
    .filter((name) => name.startsWith(prefix + beginning))
    .map((name) => name.slice(prefix.length))
}

/** Changes whenever a key is stored or removed. */
export const storedKeysRevision = createStore(0)

/** Stores one idempotency key, so that it is found again after a reload. */
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

/** A random UUID. `crypto.randomUUID` is missing on pages without HTTPS, where some tills run. */
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
