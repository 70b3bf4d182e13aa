import { useEffect, useRef, useState } from 'react'
import { type Action, isBusy } from './action.ts'
import { useAction } from './useAction.ts'

/**
 * The request of a form: made and sent with each press of its button, and what became of it.
 * @param make makes one attempt to send this input
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
  // An attempt is made to be sent; sending it again is another press.
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
    /** Nobody knows what became of it: until then nothing may be changed. */
    open: state.step === 'unknown' || state.step === 'checked',
    send: (input: I) => setAttempt((last) => ({ number: (last?.number ?? 0) + 1, input })),
    /** Back to the form; the server knows nothing of what was sent. */
    edit: () => {
      action?.drop()
      setAttempt(null)
    },
  }
}
