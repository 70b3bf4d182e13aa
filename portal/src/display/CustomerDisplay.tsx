import { type ReactNode, useEffect } from 'react'
import { turned } from '../kit/store/scene.ts'
import { useStore } from '../kit/store/store.ts'
import { resumeDisplay } from './open.ts'
import { later } from '../ui/load/later.tsx'

const TurnedDisplay = later(async () => (await import('./TurnedDisplay.tsx')).TurnedDisplay)

/** The clerk's side of the customer display: a window of its own, or this screen turned round. */
export function CustomerDisplay(): ReactNode {
  const isTurned = useStore(turned)
  useEffect(() => {
    resumeDisplay()
    return () => turned.set(false)
  }, [])
  if (!isTurned) return null
  return <TurnedDisplay />
}
