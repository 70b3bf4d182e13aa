import type { KeyboardEvent } from 'react'

/** The Enter that accepts a suggestion of an input method submits nothing. */
export function ignoreComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && isComposing(event)) event.preventDefault()
}

/** Safari sends the key when the composition is over already, and only its code tells. */
function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}
