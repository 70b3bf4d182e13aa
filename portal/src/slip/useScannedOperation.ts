import { useSearch } from '@tanstack/react-router'

/** The operation whose slip was scanned, from the address of My shift; null: all actions. */
export function useScannedOperation(): string | null {
  const { operation }: Record<string, unknown> = useSearch({ strict: false })
  return typeof operation === 'string' && operation !== '' ? operation : null
}
