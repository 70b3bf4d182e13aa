import { useState } from 'react'
import { whenIdle } from '../load/whenIdle.ts'
import type { SheetProps } from './SheetDialog.tsx'
import { later } from '../load/later.tsx'

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
  // It stays once it was open, because it also closes with an animation.
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return <SheetDialog {...props} />
}
