import { useBlocker } from '@tanstack/react-router'
import { closeTopLayer } from '../../ui/layer/layers.ts'

/** The system's Back and Forward close the newest layer, and only then leave the page. */
export function BackClosesLayer(): null {
  useBlocker({ shouldBlockFn: stays, enableBeforeUnload: false })
  return null
}

function stays({ action }: { action: string }): boolean {
  return action !== 'PUSH' && action !== 'REPLACE' && closeTopLayer()
}
