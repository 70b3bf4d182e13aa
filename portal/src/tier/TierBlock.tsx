import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { TierStanding } from '@tillside/contract/tier'
import { useTheme } from '../company/company.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TierCard } from './TierCard.tsx'
import { TierLadder } from './TierLadder.tsx'
import { tiersQuery } from './tiers.ts'

/** The tier in the style that the company has chosen. */
export function TierBlock({ standing }: { standing: TierStanding }) {
  const { layoutStyleConfig } = useTheme()
  if (layoutStyleConfig.tierProgressStyle === 'displayNextTierOnly') {
    return <TierCard standing={standing} />
  }
  return <Ladder standing={standing} />
}

function Ladder({ standing }: { standing: TierStanding }) {
  const { t } = useLingui()
  const name = t({ id: 'tier.title', message: 'Tier' })
  return (
    <Loaded query={useQuery(tiersQuery)} name={name} skeleton={<TierSkeleton />}>
      {({ items }) => <TierLadder standing={standing} tiers={items} />}
    </Loaded>
  )
}

/** The rectangle of the card that is coming. */
export function TierSkeleton() {
  return <Skeleton height="11rem" radius="card" />
}
