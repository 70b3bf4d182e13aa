import { useLingui } from '@lingui/react/macro'
import ArrowCounterClockwiseIcon from 'virtual:icons/arrow-counter-clockwise'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/page/Button.tsx'

const beforeFocusMs = 400

type DoneButtonsProps = {
  onClose: () => void
  /** Absent if the action cannot be undone. */
  onUndo?: (() => void) | undefined
}

/** The buttons after a successful action: close, and, less prominent, undo. */
export function DoneButtons({ onClose, onUndo }: DoneButtonsProps) {
  const { t } = useLingui()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const focus = setTimeout(() => button.current?.focus(), beforeFocusMs)
    return () => clearTimeout(focus)
  }, [])
  return (
    <>
      <Button ref={button} kind="filled" size="large" onClick={onClose}>
        {t({ id: 'common.done', message: 'Done' })}
      </Button>
      {onUndo ? (
        <Button
          kind="text"
          size="large"
          icon={<ArrowCounterClockwiseIcon size={20} aria-hidden="true" />}
          onClick={onUndo}
        >
          {t({ id: 'undo.open', message: 'Undo' })}
        </Button>
      ) : null}
    </>
  )
}
