import { useLingui } from '@lingui/react/macro'
import ArrowCounterClockwiseIcon from 'virtual:icons/arrow-counter-clockwise'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/page/Button.tsx'

const beforeFocusMs = 400
const beforeClosingMs = 4000

type DoneButtonsProps = {
  onClose: () => void
  /** Absent if the action cannot be undone. */
  onUndo?: (() => void) | undefined
  /** Closes the sheet after a while, unless a touch or a key keeps it open. */
  closesItself?: boolean
}

/** The buttons after a successful action: close, and, less prominent, undo. */
export function DoneButtons({ onClose, onUndo, closesItself = false }: DoneButtonsProps) {
  const { t } = useLingui()
  const button = useRef<HTMLButtonElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const focus = setTimeout(() => button.current?.focus(), beforeFocusMs)
    return () => clearTimeout(focus)
  }, [])
  useEffect(() => {
    if (!closesItself) return undefined
    const leave = setTimeout(() => close.current(), beforeClosingMs)
    const stay = () => clearTimeout(leave)
    addEventListener('pointerdown', stay)
    addEventListener('keydown', stay)
    return () => {
      stay()
      removeEventListener('pointerdown', stay)
      removeEventListener('keydown', stay)
    }
  }, [closesItself])
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
