import { useEffect, useState } from 'react'
import { afterPaint } from '../load/afterPaint.ts'
import { whenIdle } from '../load/whenIdle.ts'
import type { SheetProps } from './SheetDialog.tsx'
import { later } from '../load/later.tsx'
import { hasLayer, useLayer } from './layers.ts'

export type { SheetProps }

// The library of dialogs is a tenth of a member's page, and no page begins with a dialog. So it is
// loaded after the first paint, or when the first sheet opens.
const SheetDialog = later(async () => (await import('./SheetDialog.tsx')).SheetDialog)

/** Loads the file of all sheets when the page is idle, so that the first sheet opens at once. */
export function loadSheets(): void {
  // A sheet that opens tries again.
  whenIdle(() => void SheetDialog.preload())
}

/**
 * A decision: at the bottom of a phone, in the middle of larger screens. The heading gets the
 * focus, not the button, so that the Enter at the end of a scan cannot confirm.
 */
export function Sheet(props: SheetProps) {
  const { open, busy, onClose } = props
  const isShown = useAfterTouch(open)
  // From the touch on: a Back before the sheet is shown closes it, and does not leave the page.
  useLayer(open, () => {
    if (!busy) onClose()
  })
  // It stays once it was shown, because it also closes with an animation.
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  if (!wasShown) return null
  return <SheetDialog {...props} open={isShown} />
}

/**
 * True while the sheet is open, from the paint after the touch that opened it: to render a sheet
 * takes several times as long as to show that its button was pressed. A sheet that replaces
 * another one is shown at once, because the page would flash between them.
 */
function useAfterTouch(open: boolean): boolean {
  const [isShown, setShown] = useState(() => open && hasLayer())
  if (isShown && !open) setShown(false)
  useEffect(
    () => (open && !isShown ? afterPaint(() => setShown(true)) : undefined),
    [open, isShown],
  )
  return open && isShown
}
