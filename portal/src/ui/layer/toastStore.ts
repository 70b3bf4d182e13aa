export type Toast = { id: number; tone: 'success' | 'error'; text: string }

let current: Toast | null = null
let made = 0
const listeners = new Set<() => void>()

function set(toast: Toast | null) {
  current = toast
  for (const listener of listeners) listener()
}

/** Shows a message for five seconds (specification, section 8); a newer one replaces it. */
export function showToast(toast: { tone: Toast['tone']; text: string }): void {
  made += 1
  set({ id: made, ...toast })
}

/** Hides the message with this id, unless another one has replaced it. */
export function hideToast(id: number): void {
  if (current?.id === id) set(null)
}

/** For `useSyncExternalStore`. */
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The message that is shown, or null. */
export function currentToast(): Toast | null {
  return current
}
