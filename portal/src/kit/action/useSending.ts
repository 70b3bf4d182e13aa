import { useEffect, useRef, useState } from 'react'
import { type Action, isBusy } from './action.ts'
import { useAction } from './useAction.ts'

/**
 * Sends a form: each press of its button makes one request and follows its state.
 * @param make creates the request for this input
 */
export function useSending<I, T>(make: (input: I) => Action<T>, onDone: (data: T) => void) {
  const [attempt, setAttempt] = useState<{ number: number; input: I } | null>(null)
  const latest = useRef(onDone)
  useEffect(() => {
    latest.current = onDone
  })
  const { state, action } = useAction(
    attempt && (() => make(attempt.input)),
    String(attempt?.number ?? 0),
  )
  // A new request is sent right away.
  useEffect(() => {
    if (action?.state().step === 'confirm') void action.send()
  }, [action])
  useEffect(() => {
    if (state.step === 'done') latest.current(state.data)
  }, [state])
  return {
    state,
    action,
    busy: isBusy(state),
    /** The result is unknown, so the form must not be changed. */
    open: state.step === 'unknown' || state.step === 'checked',
    send: (input: I) => setAttempt((last) => ({ number: (last?.number ?? 0) + 1, input })),
    /** Goes back to the form; the server does not know the request. */
    edit: () => {
      action?.drop()
      setAttempt(null)
    },
  }
}
