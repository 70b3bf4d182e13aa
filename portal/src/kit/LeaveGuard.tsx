import { useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { Button } from '../ui/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useDraft } from './draft.ts'
import { session } from './session.ts'

type LeaveGuardProps = {
  /** Whose draft it is, should the session be lost. */
  name: string
  /** What is typed and not sent; null while that is nothing. */
  read: () => unknown
}

/**
 * Asks before what was typed is lost. Who is logged out cannot stay, but finds it again; a scan of
 * somebody else asks by itself, and then leaves without a second question.
 */
export function LeaveGuard({ name, read }: LeaveGuardProps) {
  const holds = () => session.get() !== null && read() !== null
  useDraft(name, read)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  })
  const { t } = useLingui()
  const keep = () => reset?.()
  return (
    <Sheet
      open={status === 'blocked'}
      onClose={keep}
      title={t({ id: 'prof.discardQ', message: 'Discard changes?' })}
      actions={
        <>
          <Button kind="filled" size="large" onClick={keep}>
            {t({ id: 'prof.keep', message: 'Keep editing' })}
          </Button>
          <Button kind="text" size="large" onClick={() => proceed?.()}>
            {t({ id: 'prof.discard', message: 'Discard' })}
          </Button>
        </>
      }
    />
  )
}
