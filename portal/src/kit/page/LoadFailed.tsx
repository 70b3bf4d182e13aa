import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { Notice } from '../../ui/page/Notice.tsx'
import { reasonOf } from '../call/failure.ts'

type LoadFailedProps = {
  /** What could not be loaded, as a sentence. */
  children: ReactNode
  /** The server's reason is shown below the sentence. */
  error: unknown
  busy?: boolean
  disabled?: boolean
  onAgain: () => void
}

/** A block that could not be loaded: why, and a button to try again. */
export function LoadFailed({ children, error, busy, disabled, onAgain }: LoadFailedProps) {
  const { t } = useLingui()
  const reason = reasonOf(error)
  return (
    <Notice
      tone="danger"
      action={
        <Button kind="outlined" size="small" busy={busy} disabled={disabled} onClick={onAgain}>
          {t({ id: 'common.retry', message: 'Try again' })}
        </Button>
      }
    >
      <div>{children}</div>
      {reason === null ? null : <p className="text-small text-ink2">{reason}</p>}
    </Notice>
  )
}
