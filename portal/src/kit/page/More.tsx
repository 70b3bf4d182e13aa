import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { Notice } from '../../ui/page/Notice.tsx'
import { Skeleton } from '../../ui/page/Skeleton.tsx'

type MoreProps = {
  /** The name of the list for error messages. */
  name: string
  more: boolean
  busy: boolean
  failed: boolean
  onMore: () => void
}

const ahead = '600px'

/** Loads the next rows before they become visible; after a failure, when its button is pressed. */
export function More({ name: block, more, busy, failed, onMore }: MoreProps) {
  const { t } = useLingui()
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  useEffect(() => {
    ask.current = onMore
  })
  const waits = more && !busy && !failed
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
      {failed && !busy ? (
        <Notice
          tone="danger"
          action={
            <Button kind="outlined" size="small" onClick={onMore}>
              {t({ id: 'common.retry', message: 'Try again' })}
            </Button>
          }
        >
          {t({ id: 'home.blockFailed', message: `${block} could not be loaded.` })}
        </Notice>
      ) : null}
    </div>
  )
}
