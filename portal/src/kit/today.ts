import { useSyncExternalStore } from 'react'
import { localDay } from './format.ts'

const minute = 60_000

function watch(listener: () => void): () => void {
  const timer = setInterval(listener, minute)
  return () => clearInterval(timer)
}

/** The device's calendar day, `YYYY-MM-DD`; a page left open over midnight follows. */
export function useToday(): string {
  return useSyncExternalStore(watch, () => localDay(new Date()))
}
