import { useState } from 'react'

/** Counts the openings: a sheet that opens again while it closes begins with its question. */
export function useOpening(open: boolean): number {
  const [last, setLast] = useState({ open, count: 0 })
  if (last.open !== open) setLast({ open, count: open ? last.count + 1 : last.count })
  return last.count
}
