import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to `place` when a layer has closed and the focus is lost, for example because the
 * pressed ticket has disappeared. Waits first, because the sheet restores the focus itself: in
 * Firefox when it is hidden, in Chromium only after the next paint. The page does not scroll: a
 * clerk may already be tapping somewhere else.
 */
export function useFocusAfter(isOver: boolean, place: RefObject<HTMLElement | null>): void {
  const was = useRef(isOver)
  useEffect(() => {
    const isGone = was.current && !isOver
    was.current = isOver
    if (!isGone) return undefined
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) {
        place.current?.focus({ preventScroll: true })
      }
    })
    return () => clearTimeout(timer)
  }, [isOver, place])
}
