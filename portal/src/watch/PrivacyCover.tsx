import { Trans } from '@lingui/react/macro'
import EyeSlashIcon from 'virtual:icons/eye-slash'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { hasUnsavedForm } from '../kit/store/draft.ts'
import { covered as screenCovered } from '../kit/store/scene.ts'
import { valueCallPending } from '../kit/call/portalState.ts'

const coverAfterMs = 90_000
const minuteMs = 60_000
const checkIntervalMs = 1000
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

type Props = {
  /** After this time without input, the member is closed; in minutes. */
  lockMinutes: number
  onLock: () => void
}

/**
 * Covers the page after 90 seconds without input, because customers can see the screen; later the
 * member is closed.
 */
export function PrivacyCover({ lockMinutes, onLock }: Props): ReactNode {
  const [covered, setCovered] = useState(false)
  const lock = useRef(onLock)
  useEffect(() => {
    lock.current = onLock
  })

  // A layout effect, because the 90 seconds start with the first paint.
  useLayoutEffect(() => {
    // Compares with the clock, because timers stop while a tablet sleeps.
    let last = Date.now()
    function checkIdleTime(): void {
      const idle = Date.now() - last
      if (idle >= coverAfterMs) setCovered(true)
      if (idle < lockMinutes * minuteMs) return
      // Does not close the member while a value-moving call or unsaved input is pending.
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

  useEffect(() => {
    screenCovered.set(covered)
    return () => screenCovered.set(false)
  }, [covered])

  return covered ? createPortal(<Cover onRemove={() => setCovered(false)} />, document.body) : null
}

/** A modal dialog on top of everything; the content below is hidden from screen readers too. */
function Cover({ onRemove }: { onRemove: () => void }) {
  const cover = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = cover.current
    dialog?.showModal()
    // Closing a dialog restores the focus.
    return () => dialog?.close()
  }, [])
  // From the first paint on: the touch that removes the cover must not press anything.
  useLayoutEffect(() => {
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
