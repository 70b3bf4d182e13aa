import { useBlocker } from '@tanstack/react-router'
import { DiscardSheet } from './DiscardSheet.tsx'
import { useDraft } from '../store/draft.ts'
import { session } from '../call/session.ts'

type LeaveGuardProps = {
  /** The name under which the draft is kept if the session is lost. */
  name: string
  /** Returns the unsaved input, or null if there is none. */
  read: () => unknown
}

/**
 * Asks before unsaved input is lost. After a lost session the page must close, so the input is kept
 * as a draft. A scan of another member asks with its own question and then skips this one.
 */
export function LeaveGuard({ name, read }: LeaveGuardProps) {
  const holds = () => session.get() !== null && read() !== null
  useDraft(name, read)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  })
  return (
    <DiscardSheet
      open={status === 'blocked'}
      onKeep={() => reset?.()}
      onDiscard={() => proceed?.()}
    />
  )
}
