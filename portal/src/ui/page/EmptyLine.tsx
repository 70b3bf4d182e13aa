import type { ReactNode } from 'react'

/** One line for an empty list. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return <p className="py-3 text-body text-ink2">{children}</p>
}
