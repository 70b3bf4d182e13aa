import { Dialog } from '@base-ui/react/dialog'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { scanGuard } from './scanGuard.ts'

export type SheetProps = {
  open: boolean
  /** Asked for by Escape, the back gesture or a tap beside it; never while busy. */
  onClose: () => void
  title: string
  /** One line under the title: "This can't be undone." */
  note?: ReactNode
  children?: ReactNode
  /** The buttons, the one that acts first. */
  actions: ReactNode
  /** An answer is awaited: it cannot be closed and nothing in it can be changed. */
  busy?: boolean | undefined
}

/**
 * A decision: from below on a phone, in the middle elsewhere. The heading takes the focus, not the
 * button, so that a scanner's trailing Enter cannot confirm.
 */
export function Sheet({ open, onClose, ...content }: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal={content.busy === true}
      onOpenChange={(next, details) => {
        if (next) return
        if (content.busy) details.cancel()
        else onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="shade" />
        <Dialog.Viewport className="sheet-frame">
          <Dialog.Popup
            className="sheet"
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

/** Mounted with each opening, so the guard's clock starts anew. */
function SheetContent({ title, note, children, actions, heading }: ContentProps) {
  const [guard] = useState(() => scanGuard(performance.now()))
  const keyDown = (event: KeyboardEvent) => {
    if (guard(event.key, event.timeStamp) === 'person') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div onKeyDownCapture={keyDown} className="flex flex-col">
      <div className="grabber" aria-hidden="true" />
      <Dialog.Title ref={heading} tabIndex={-1} className="text-title">
        {title}
      </Dialog.Title>
      {note ? (
        <Dialog.Description className="mt-1 text-body text-ink2">{note}</Dialog.Description>
      ) : null}
      {children ? <div className="mt-4 flex flex-col gap-3">{children}</div> : null}
      <div className="sheet-actions">{actions}</div>
    </div>
  )
}
