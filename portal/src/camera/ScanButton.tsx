import { useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { dispatchScan } from '../kit/device/scan.ts'
import { showToast } from '../ui/layer/toastStore.ts'

const loadSheet = () => import('./CameraSheet.tsx')
const CameraSheet = lazy(async () => ({ default: (await loadSheet()).CameraSheet }))

/** How long the frame of a code that was read shines before the sheet closes; ms. */
const highlightMs = 120

type ScanButtonProps = {
  /** Whether a text is of any use here. */
  reads: (text: string) => boolean
  /** Where to type instead. */
  onManual: () => void
  /** Says that there is no camera; a message of five seconds where it is left out. */
  onUnsupported?: (words: string) => void
  children: (open: { onClick: () => void; onPointerEnter: () => void }) => ReactNode
}

/** The way to the camera. What it reads goes where a scanner's text would go. */
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
    // The sheet gives the focus back first.
    requestAnimationFrame(() => requestAnimationFrame(onManual))
  }
  return (
    <>
      {children({
        onClick: () => {
          setOpened(true)
          setOpen(true)
        },
        onPointerEnter: () => void loadSheet().catch(() => undefined),
      })}
      {opened ? (
        <Suspense>
          <CameraSheet
            open={open}
            onClose={() => setOpen(false)}
            onRead={(text) => {
              if (!reads(text)) return false
              setTimeout(() => {
                setOpen(false)
                // Only when the sheet counts as closed may another page take this one's place.
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
        </Suspense>
      ) : null}
    </>
  )
}
