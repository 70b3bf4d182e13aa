import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Action, ActionState } from './action.ts'

const idle = { step: 'idle' } as const
const noSubscription = () => () => undefined
const idleState = () => idle

/**
 * One request that moves value, opened as soon as it is known.
 * @param make null until the request is known
 * @param name identifies the request; a different name makes a new one
 */
export function useAction<T>(
  make: (() => Action<T>) | null,
  name: string,
): { state: ActionState<T>; action: Action<T> | null } {
  const [kept, keep] = useState(() => named(make, name))
  let current = kept
  if (kept.name !== name || (kept.action === null && make !== null)) {
    current = named(make, name)
    keep(current)
  }
  const { action } = current
  const state = useSyncExternalStore(
    action?.subscribe ?? noSubscription,
    action?.state ?? idleState,
  )
  return { state, action }
}

function named<T>(make: (() => Action<T>) | null, name: string) {
  const action = make?.() ?? null
  action?.open()
  return { name, action }
}

/** Calls `onAnswered` once, when the request has been answered. */
export function useOnAnswered<T>(state: ActionState<T>, onAnswered: () => void): void {
  const latest = useRef(onAnswered)
  useEffect(() => {
    latest.current = onAnswered
  })
  useEffect(() => {
    if (state.step === 'done' || state.step === 'refused') latest.current()
  }, [state])
}
