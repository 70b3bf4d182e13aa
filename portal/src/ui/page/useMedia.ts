import { useCallback, useSyncExternalStore } from 'react'

/** Whether the media query holds, now and whenever that changes. */
export function useMedia(query: string): boolean {
  const watch = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(watch, () => matchMedia(query).matches)
}

/** The breakpoints of ux.md 0.4, and the screens that are touched. */
export const screens = {
  medium: '(width >= 37.5rem)',
  expanded: '(width >= 64rem)',
  /** Room for keys and for what they write, and no keyboard of its own. */
  keypad: '(pointer: coarse) and (width >= 37.5rem) and (height >= 30rem)',
}
