import { useSyncExternalStore } from 'react'
import { Button } from '../page/Button.tsx'
import { interrupt, interruptionNow, watchInterruption } from './interruption.ts'
import { Notice } from '../page/Notice.tsx'

const nothing = () => null

/**
 * Asks whether to leave the page for a new event. While a sheet is open the bar is inside it,
 * because nothing outside a modal sheet can be reached.
 */
export function InterruptionBar({ busy }: { busy?: boolean | undefined }) {
  const interruption = useSyncExternalStore(watchInterruption, interruptionNow, nothing)
  if (interruption === null) return null
  const { text, go, stay } = interruption
  return (
    <div className="my-3">
      <Notice
        tone="info"
        action={
          <span className="flex gap-2">
            <Button
              kind="outlined"
              size="small"
              busy={busy}
              onClick={() => {
                interrupt(null)
                go.run()
              }}
            >
              {go.label}
            </Button>
            <Button kind="text" size="small" onClick={() => interrupt(null)}>
              {stay.label}
            </Button>
          </span>
        }
      >
        {text}
      </Notice>
    </div>
  )
}
