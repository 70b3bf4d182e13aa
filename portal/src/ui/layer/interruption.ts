/** An event during other work, such as a scan, that the clerk has to decide about. */
export type Interruption = {
  text: string
  /** Leaves the open page for the event. */
  go: { label: string; run: () => void }
  stay: { label: string }
}

let current: Interruption | null = null
const listeners = new Set<() => void>()

/** Shows an interruption in place of the last one; null removes it. */
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

/** The interruption to be decided, or null. */
export function interruptionNow(): Interruption | null {
  return current
}

/** Whether a sheet is open, whose question must be answered before the page changes. */
export function isSheetOpen(): boolean {
  return document.querySelector('[role=dialog][data-open]') !== null
}
