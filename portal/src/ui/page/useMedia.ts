import { useCallback, useSyncExternalStore } from 'react'

/** Whether the media query matches, updated when it changes. */
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

/** The breakpoints of the layout (`--breakpoint-*` in tokens.css), and touch screens. */
export const screens = {
  medium: '(width >= 37.5rem)',
  expanded: '(width >= 64rem)',
  /** A touch screen with room for both the page's keypad and its result. */
  keypad: '(pointer: coarse) and (width >= 37.5rem) and (height >= 30rem)',
}
