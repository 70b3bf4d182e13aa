import { Dialog } from '@base-ui/react/dialog'
import XIcon from 'virtual:icons/x'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { InterruptionBar } from './InterruptionBar.tsx'
import { scanGuard } from './scanGuard.ts'
import { screens, useMedia } from '../page/useMedia.ts'

export type SheetProps = {
  open: boolean
  /** Called by Escape, the system's Back or a tap outside; never while busy. */
  onClose: () => void
  title: string
  /** One line under the title: "This can't be undone." */
  note?: ReactNode
  children?: ReactNode
  /** The buttons, the main one first; null if there is nothing to decide. */
  actions: ReactNode
  /** Waiting for an answer: the sheet cannot be closed, and nothing in it can be changed. */
  busy?: boolean | undefined
  /**
   * The name of the close button, if the sheet is a side panel on large screens. The page next to a
   * panel stays usable, so a panel needs its own close button.
   */
  aside?: string | undefined
}

/** A tap outside is ignored for this long after the opening: it ends a double tap. In ms. */
const doubleTapMs = 700

/** The dialog of a `Sheet`, with the library that it needs. */
export function SheetDialog({ open, onClose, ...content }: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wide = useMedia(screens.expanded)
  const atSide = content.aside !== undefined && wide
  const openedAt = useRef(0)
  // A layout effect runs before the dialog listens, so the time is there for the first tap.
  useLayoutEffect(() => {
    if (open) openedAt.current = performance.now()
  }, [open])
  return (
    <Dialog.Root
      open={open}
      modal={!atSide}
      disablePointerDismissal={content.busy === true || atSide}
      onOpenChange={(next, details) => {
        if (next) return
        // The time of the tap, not of this call: on a busy page the call comes much later.
        const { timeStamp: tappedAt } = details.event
        const isDoubleTap =
          details.reason === 'outside-press' && tappedAt - openedAt.current < doubleTapMs
        if (content.busy || isDoubleTap) details.cancel()
        else onClose()
      }}
    >
      <Dialog.Portal>
        {atSide ? null : <Dialog.Backdrop className="shade" />}
        <Dialog.Viewport className={`sheet-frame ${atSide ? 'panel-frame' : ''}`}>
          <Dialog.Popup
            className={`sheet ${atSide ? 'panel' : ''}`}
            initialFocus={heading}
            aria-busy={content.busy || undefined}
          >
            <SheetContent {...content} heading={heading} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type ContentProps = Omit<SheetProps, 'open' | 'onClose'> & {
  heading: React.RefObject<HTMLHeadingElement | null>
}

/** Mounted at each opening, so that the guard's time starts again. */
function SheetContent(props: ContentProps) {
  const { title, note, children, actions, heading, aside, busy } = props
  const [guard] = useState(() => scanGuard(performance.now()))
  const keyDown = (event: KeyboardEvent) => {
    if (guard(event.key, event.timeStamp) === 'person') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div onKeyDownCapture={keyDown} className="flex min-h-full flex-col">
      <div className="grabber" aria-hidden="true" />
      <div className="flex items-start justify-between gap-3">
        <Dialog.Title ref={heading} tabIndex={-1} className="min-w-0 text-title">
          {title}
        </Dialog.Title>
        {aside === undefined ? null : (
          <Dialog.Close
            aria-label={aside}
            disabled={busy}
            className={
              '-my-2.5 -me-3 grid size-12 shrink-0 place-items-center rounded-button text-ink ' +
              'hover:bg-[color-mix(in_srgb,transparent,var(--ink)_6%)]'
            }
          >
            <XIcon size={24} aria-hidden="true" />
          </Dialog.Close>
        )}
      </div>
      {note ? (
        <Dialog.Description className="mt-1 text-body text-ink2">{note}</Dialog.Description>
      ) : null}
      <InterruptionBar busy={busy} />
      {children ? <div className="mt-4 flex flex-col gap-3">{children}</div> : null}
      {actions ? (
        // New buttons, such as those of a result, ignore the second tap on the old ones.
        <div key={title} className="sheet-actions">
          {actions}
        </div>
      ) : (
        <div className="sheet-end" />
      )}
    </div>
  )
}
