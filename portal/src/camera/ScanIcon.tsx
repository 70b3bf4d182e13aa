import BarcodeIcon from 'virtual:icons/barcode'
import BarcodeFillIcon from 'virtual:icons/barcode-fill'
import { useEffect, useState } from 'react'
import { scanCount } from '../kit/device/scan.ts'

const highlightMs = 400

/** Lights up briefly after every scan, on whichever page it was made. */
export function ScanIcon() {
  const [lit, setLit] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = scanCount.watch(() => {
      setLit(true)
      clearTimeout(timer)
      timer = setTimeout(() => setLit(false), highlightMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  const Icon = lit ? BarcodeFillIcon : BarcodeIcon
  return (
    <span
      className={`shrink-0 transition-colors duration-[120ms] ${lit ? 'text-brand-text' : ''}`}
      aria-hidden="true"
    >
      <Icon size={24} />
    </span>
  )
}
