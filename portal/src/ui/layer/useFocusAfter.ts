import { type RefObject, useEffect, useRef } from 'react'

/**
 * Has the keyboard go on from a place when what lay over it is gone and left the focus nowhere: the
 * ticket that was pressed may be gone too. The sheet is let give the focus back first: in Firefox
 * nothing has it as soon as the sheet is hidden, in Chromium only when that is drawn.
 */
export function useFocusAfter(isOver: boolean, place: RefObject<HTMLElement | null>): void {
  const was = useRef(isOver)
  useEffect(() => {
    const isGone = was.current && !isOver
    was.current = isOver
    if (!isGone) return undefined
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) place.current?.focus()
    })
    return () => clearTimeout(timer)
  }, [isOver, place])
}
