import { useSyncExternalStore } from 'react'

function watch(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Whether the device has a network; a page that is rendered on the server assumes so. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  )
}
