import { Pips } from '../ui/paper/Pips.tsx'
import { useTierRank } from './tiers.ts'

type TierPipsProps = { code: string; name: string; inked?: boolean }

/** A tier's rank as dots; `inked` colours them, for use outside a card. */
export function TierPips({ code, name, inked }: TierPipsProps) {
  const { tone, pips } = useTierRank(code)
  if (pips === null) return null
  return (
    <Pips
      filled={pips.filled}
      total={pips.total}
      label={`${name} ${pips.filled}/${pips.total}`}
      tone={inked ? tone : undefined}
    />
  )
}
