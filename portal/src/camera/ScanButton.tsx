import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { dispatchScan } from '../kit/device/scan.ts'
import { showToast } from '../ui/layer/toastStore.ts'
import { later } from '../ui/load/later.tsx'

const CameraSheet = later(async () => (await import('./CameraSheet.tsx')).CameraSheet)

/** How long the frame stays highlighted after a code was read, before the sheet closes; in ms. */
const highlightMs = 120

type ScanButtonProps = {
  /** Whether this page can use the text. */
  reads: (text: string) => boolean
  /** Moves the focus to the field where the clerk can type instead. */
  onManual: () => void
  /**
   * Reports a missing camera. The default is an error toast, shown for 5 s (specification, section
   * 8).
   */
  onUnsupported?: (words: string) => void
  children: (open: { onClick: () => void; onPointerEnter: () => void }) => ReactNode
}

/** Opens the camera. The text that it reads is handled like a hardware scan. */
export function ScanButton({ reads, onManual, onUnsupported, children }: ScanButtonProps) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  const [open, setOpen] = useState(false)
  const unsupported = t({
    id: 'scan.unsupported',
    message:
      'The current device does not support scanning, please change the browser or connect camera',
  })
  const manual = () => {
    setOpen(false)
    // Wait until the closing sheet has restored the focus.
    requestAnimationFrame(() => requestAnimationFrame(onManual))
  }
  return (
    <>
      {children({
        onClick: () => {
          setOpened(true)
          setOpen(true)
        },
        onPointerEnter: () => void CameraSheet.preload(),
      })}
      {opened ? (
        <CameraSheet
          open={open}
          onClose={() => setOpen(false)}
          onRead={(text) => {
            if (!reads(text)) return false
            setTimeout(() => {
              setOpen(false)
              // Wait until the sheet counts as closed: while one is open, the portal asks before
              // it changes page.
              setTimeout(() => void dispatchScan(text))
            }, highlightMs)
            return true
          }}
          onManual={manual}
          onUnsupported={() => {
            manual()
            if (onUnsupported) onUnsupported(unsupported)
            else showToast({ tone: 'error', text: unsupported })
          }}
        />
      ) : null}
    </>
  )
}
