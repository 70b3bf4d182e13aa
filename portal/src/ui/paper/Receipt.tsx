import type { ReactNode } from 'react'

/** A till receipt with a straight top and a toothed bottom edge. */
export function Receipt({ children }: { children: ReactNode }) {
  return (
    <div className="receipt">
      <div className="receipt-paper">
        <div className="px-4 py-3.5">{children}</div>
      </div>
    </div>
  )
}
