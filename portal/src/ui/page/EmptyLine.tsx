import type { ReactNode } from 'react'

/** Nothing here, said in one line: no picture, no box. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return <p className="py-3 text-body text-ink2">{children}</p>
}
