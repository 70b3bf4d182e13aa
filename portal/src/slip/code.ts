import { OperationKey } from '@tillside/contract/wire/operation'
import * as z from 'zod/mini'

const mark = 'OP-'

/**
 * The text of a slip's QR code. Capitals, digits and hyphens make the smallest QR code, and every
 * keyboard layout of a scanner has them.
 */
export function operationCode(operation: string): string {
  return mark + operation.toUpperCase()
}

/** The operation that a scanned text names, or null. */
export function operationIn(scanned: string): string | null {
  const text = scanned.trim()
  if (!text.toUpperCase().startsWith(mark)) return null
  const key = z.safeParse(OperationKey, text.slice(mark.length).toLowerCase())
  return key.success ? key.data : null
}

/** The beginning of an operation's key, as people read it out: `7F3A-91C2`. */
export function shortOperation(operation: string): string {
  const letters = operation.slice(0, 8).toUpperCase()
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
