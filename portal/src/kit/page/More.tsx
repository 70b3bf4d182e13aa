import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Skeleton } from '../../ui/page/Skeleton.tsx'
import { LoadFailed } from './LoadFailed.tsx'

type MoreProps = {
  /** The name of the list for error messages. */
  name: string
  more: boolean
  busy: boolean
  /** Why the last attempt failed, or null. */
  error: Error | null
  onMore: () => void
}

const ahead = '600px'

/** Loads the next rows before they become visible; after a failure, when its button is pressed. */
export function More({ name: block, more, busy, error, onMore }: MoreProps) {
  const { t } = useLingui()
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  useEffect(() => {
    ask.current = onMore
  })
  const waits = more && !busy && error === null
  useEffect(() => {
    if (!waits || end.current === null) return undefined
    const watcher = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) ask.current()
      },
      { rootMargin: ahead },
    )
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [waits])
  return (
    <div ref={end}>
      {busy ? <Skeleton height="3.5rem" /> : null}
      {error === null || busy ? null : (
        <LoadFailed error={error} onAgain={onMore}>
          {t({ id: 'home.blockFailed', message: `${block} could not be loaded.` })}
        </LoadFailed>
      )}
    </div>
  )
}
