import { useBlocker } from '@tanstack/react-router'
import { DiscardSheet } from './DiscardSheet.tsx'
import { useDraft } from '../store/draft.ts'
import { session } from '../call/session.ts'

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
  return (
    <DiscardSheet
      open={status === 'blocked'}
      onKeep={() => reset?.()}
      onDiscard={() => proceed?.()}
    />
  )
}
