import { useNavigate } from '@tanstack/react-router'
import { useScan } from '../kit/device/scan.ts'
import { paths } from '../paths.ts'
import { operationIn } from './code.ts'

/** Opens the scanned slip's actions in My shift, where they can be undone. */
export function SlipScans(): null {
  const navigate = useNavigate()
  useScan((text, next) => {
    const operation = operationIn(text)
    if (operation === null) return next()
    void navigate(paths.shiftOperation(operation))
    return true
  }, 'first')
  return null
}
