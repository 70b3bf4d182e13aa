import { Dialog } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { useLayer } from './layers.ts'
import '../style/forms.css'

export type FullScreenProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Above the title: the company's logo. */
  head?: ReactNode
  children: ReactNode
}

/**
 * A view for the customer that covers the whole screen; the page below can be neither seen nor
 * reached.
 */
export function FullScreen({ open, onClose, title, head, children }: FullScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayer(open, onClose)
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Popup className="full-screen" initialFocus={heading}>
          <div className="mx-auto flex min-h-full w-full max-w-[32rem] flex-col gap-5">
            {head}
            <Dialog.Title ref={heading} tabIndex={-1} className="text-title-l">
              {title}
            </Dialog.Title>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
