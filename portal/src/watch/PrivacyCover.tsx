import { Trans } from '@lingui/react/macro'
import EyeSlashIcon from 'virtual:icons/eye-slash'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { hasUnsavedForm } from '../kit/store/draft.ts'
import { valueCallPending } from '../kit/call/portalState.ts'

const coverAfterMs = 90_000
const minute = 60_000
const checkIntervalMs = 1000
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

type Props = {
  /** After so long without input the member is closed. */
  lockMinutes: number
  onLock: () => void
}

/**
 * The counter has two sides: what nobody has touched for a while is covered, and later closed.
 */
export function PrivacyCover({ lockMinutes, onLock }: Props): ReactNode {
  const [covered, setCovered] = useState(false)
  const lock = useRef(onLock)
  useEffect(() => {
    lock.current = onLock
  })

  useEffect(() => {
    // By the clock: a sleeping tablet's timers sleep too.
    let last = Date.now()
    function checkIdleTime(): void {
      const idle = Date.now() - last
      if (idle >= coverAfterMs) setCovered(true)
      if (idle < lockMinutes * minute) return
      // Who waits for an answer that moves value is to read it; what is typed is not thrown away.
      if (valueCallPending.get() || hasUnsavedForm()) return
      last = Date.now()
      lock.current()
    }
    function touched(): void {
      last = Date.now()
    }
    const timer = setInterval(checkIdleTime, checkIntervalMs)
    document.addEventListener('visibilitychange', checkIdleTime)
    for (const input of inputs) addEventListener(input, touched, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkIdleTime)
      for (const input of inputs) removeEventListener(input, touched, { capture: true })
    }
  }, [lockMinutes])

  return covered ? createPortal(<Cover onRemove={() => setCovered(false)} />, document.body) : null
}

/** On top of everything, dialogs too; what is under it cannot be read out either. */
function Cover({ onRemove }: { onRemove: () => void }) {
  const cover = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = cover.current
    dialog?.showModal()
    // Closing gives the focus back to where it was.
    return () => dialog?.close()
  }, [])
  useEffect(() => {
    // The touch that lifts it presses nothing.
    function remove(event: Event): void {
      if (event instanceof KeyboardEvent && event.key.length > 1) event.preventDefault()
      onRemove()
    }
    addEventListener('keydown', remove, { capture: true })
    addEventListener('click', remove, { capture: true })
    return () => {
      removeEventListener('keydown', remove, { capture: true })
      removeEventListener('click', remove, { capture: true })
    }
  }, [onRemove])
  return (
    <dialog
      ref={cover}
      aria-labelledby="veil-title"
      onCancel={(event) => event.preventDefault()}
      className={
        'm-0 grid size-full max-h-none max-w-none cursor-pointer place-content-center ' +
        'justify-items-center gap-3 bg-canvas p-6 text-center text-ink outline-none'
      }
    >
      <EyeSlashIcon size={32} aria-hidden="true" className="text-ink3" />
      <h2 id="veil-title" className="text-title text-balance">
        <Trans id="veil.title">Screen covered for privacy. Tap to continue.</Trans>
      </h2>
    </dialog>
  )
}
