import { useEffect } from 'react'
import { createStore } from './store.ts'

/**
 * Whether something has been typed that leaving the page would lose. A scanner heard meanwhile asks
 * before it opens somebody else.
 */
export const unsaved = createStore(false)

/** Says so for as long as the form is on screen. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    unsaved.set(dirty)
    return () => unsaved.set(false)
  }, [dirty])
}
