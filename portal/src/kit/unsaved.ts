import { useEffect } from 'react'

let open = 0

/** Says, as long as it is so, that something was typed that leaving the page would lose. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined
    open += 1
    return () => {
      open -= 1
    }
  }, [dirty])
}

/** Whether leaving now would lose something. */
export function hasUnsaved(): boolean {
  return open > 0
}
