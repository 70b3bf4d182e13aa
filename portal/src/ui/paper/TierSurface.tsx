import type { ReactNode } from 'react'

export type TierTone = 'stone' | 'pine' | 'brass' | 'midnight'

/** A card in the colour of a tier, the same in light and dark mode. */
export function TierSurface({ tone, children }: { tone: TierTone; children: ReactNode }) {
  return <div className={`tier-surface tier-${tone} h-full p-3 medium:p-[20px]`}>{children}</div>
}
