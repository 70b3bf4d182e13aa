import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { useDelayed } from '../../ui/page/useDelayed.ts'

type WaitingProps = {
  skeleton: ReactNode
  onAgain: () => void
}

/** A placeholder; after 3 s also with a text, after 10 s also with a button to try again. */
export function Waiting({ skeleton, onAgain }: WaitingProps) {
  const { t } = useLingui()
  const slow = useDelayed(true, 3000)
  const verySlow = useDelayed(true, 10_000)
  return (
    // One box, so that the parent's grid counts one item. Until there is a text it is as high as
    // the placeholder alone. The column may be narrower than the placeholder's width.
    <div className={slow ? 'grid grid-cols-1 gap-2' : 'grid grid-cols-1'}>
      {skeleton}
      <output className="flex flex-wrap items-center justify-between gap-2 text-small text-ink2">
        {verySlow
          ? t({ id: 'slow.10', message: 'This is taking longer than usual.' })
          : slow
            ? t({ id: 'slow.3', message: 'Still loading…' })
            : null}
        {verySlow ? (
          <Button kind="text" size="small" onClick={onAgain}>
            {t({ id: 'common.retry', message: 'Try again' })}
          </Button>
        ) : null}
      </output>
    </div>
  )
}
