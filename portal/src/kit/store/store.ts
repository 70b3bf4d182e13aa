import { useSyncExternalStore } from 'react'

/** A value that lives outside React's tree and can be watched. */
export type Store<T> = {
  get: () => T
  set: (value: T) => void
  /** @returns how to stop watching */
  watch: (listener: (value: T) => void) => () => void
}

/** Makes a store; setting the value that it already holds tells nobody. */
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

/** The store's value, read again whenever it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.watch, store.get, store.get)
}
