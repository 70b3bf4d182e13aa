import { useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useDraft } from './draft.ts'
import { useScan } from './scan.ts'
import { session } from './session.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Sheet } from '../ui/Sheet.tsx'

type LeaveGuardProps = {
  /** Whose draft it is, should the session be lost. */
  name: string
  /** What is typed and not sent; null while that is nothing. */
  read: () => unknown
}

/**
 * Asks before what was typed is lost, also when somebody else is scanned meanwhile. Who is logged
 * out cannot stay; their draft is kept.
 */
export function LeaveGuard({ name, read }: LeaveGuardProps) {
  const free = useRef(false)
  const holds = () => !free.current && session.get() !== null && read() !== null
  const [scanned, setScanned] = useState<(() => Promise<boolean>) | null>(null)
  useDraft(name, read)
  useScan((_, next) => {
    if (!holds()) return next()
    setScanned(() => next)
    return true
  })
  const change = async () => {
    free.current = true
    setScanned(null)
    // Where nobody is found nobody leaves, and what is typed is held on to.
    free.current = (await scanned?.()) ?? false
  }
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: holds,
    enableBeforeUnload: holds,
    withResolver: true,
  })
  return (
    <>
      <ScannedBar
        shown={scanned !== null}
        onSwitch={() => void change()}
        onStay={() => setScanned(null)}
      />
      <DiscardSheet
        open={status === 'blocked'}
        onKeep={() => reset?.()}
        onDiscard={() => {
          free.current = true
          proceed?.()
        }}
      />
    </>
  )
}

type ScannedBarProps = { shown: boolean; onSwitch: () => void; onStay: () => void }

function ScannedBar({ shown, onSwitch, onStay }: ScannedBarProps) {
  const { t } = useLingui()
  if (!shown) return null
  return (
    <Notice
      tone="warning"
      action={
        <div className="flex gap-2">
          <Button kind="outlined" size="small" onClick={onSwitch}>
            {t({ id: 'scan.switch', message: 'Switch' })}
          </Button>
          <Button kind="text" size="small" onClick={onStay}>
            {t({ id: 'scan.stay', message: 'Stay' })}
          </Button>
        </div>
      }
    >
      {t({ id: 'scan.another', message: 'Scanned another member' })}
    </Notice>
  )
}

type DiscardSheetProps = { open: boolean; onKeep: () => void; onDiscard: () => void }

/** The question whether what was typed may go. */
export function DiscardSheet({ open, onKeep, onDiscard }: DiscardSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onClose={onKeep}
      title={t({ id: 'prof.discardQ', message: 'Discard changes?' })}
      actions={
        <>
          <Button kind="filled" size="large" onClick={onKeep}>
            {t({ id: 'prof.keep', message: 'Keep editing' })}
          </Button>
          <Button kind="text" size="large" onClick={onDiscard}>
            {t({ id: 'prof.discard', message: 'Discard' })}
          </Button>
        </>
      }
    />
  )
}
