export type Toast = { id: number; tone: 'success' | 'error'; text: string }

let current: Toast | null = null
let made = 0
const listeners = new Set<() => void>()

function set(toast: Toast | null) {
  current = toast
  for (const listener of listeners) listener()
}

/** Says one thing for five seconds; a newer one takes its place. */
export function showToast(toast: { tone: Toast['tone']; text: string }): void {
  made += 1
  set({ id: made, ...toast })
}

/** Takes away the message with this id, unless another has already taken its place. */
export function hideToast(id: number): void {
  if (current?.id === id) set(null)
}

/** For `useSyncExternalStore`. */
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The message on show. */
export function currentToast(): Toast | null {
  return current
}
