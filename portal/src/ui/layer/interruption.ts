/** Something came while the clerk was in the middle of something else, and waits to be decided. */
export type Interruption = {
  text: string
  /** Leaves what is open for what came. */
  go: { label: string; run: () => void }
  stay: { label: string }
}

let current: Interruption | null = null
const listeners = new Set<() => void>()

/** Shows one in place of the last one; null takes it away. */
export function interrupt(interruption: Interruption | null): void {
  if (current === interruption) return
  current = interruption
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`. */
export function watchInterruption(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What waits to be decided. */
export function interruptionNow(): Interruption | null {
  return current
}

/** Whether something is being asked that must be answered before the page may change. */
export function isSheetOpen(): boolean {
  return document.querySelector('[role=dialog][data-open]') !== null
}
