import { useSyncExternalStore } from 'react'

/** A value outside the component tree that can be watched. */
export type Store<T> = {
  get: () => T
  set: (value: T) => void
  /** @returns a function that stops watching */
  watch: (listener: (value: T) => void) => () => void
}

/** Creates a store. Setting the value it already has calls no listener. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener(next)
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The store's value; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.watch, store.get, store.get)
}
