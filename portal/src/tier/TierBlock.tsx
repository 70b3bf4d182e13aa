import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useTheme } from '../company/company.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { TierCard, type TierProps } from './TierCard.tsx'
import { TierLadder } from './TierLadder.tsx'
import { tiersQuery } from './tiers.ts'

/** The tier in the style that the company has chosen. */
export function TierBlock({ standing, memberCode }: TierProps) {
  const { layoutStyleConfig } = useTheme()
  if (layoutStyleConfig.tierProgressStyle === 'displayNextTierOnly') {
    return <TierCard standing={standing} memberCode={memberCode} />
  }
  return <Ladder standing={standing} memberCode={memberCode} />
}

function Ladder({ standing, memberCode }: TierProps) {
  const { t } = useLingui()
  const name = t({ id: 'tier.title', message: 'Tier' })
  return (
    <Loaded query={useQuery(tiersQuery)} name={name} skeleton={<TierSkeleton />}>
      {({ items }) => <TierLadder standing={standing} memberCode={memberCode} tiers={items} />}
    </Loaded>
  )
}

/** A placeholder in the shape of the card, or of the ladder, which is higher. */
export function TierSkeleton() {
  const { layoutStyleConfig } = useTheme()
  const isCard = layoutStyleConfig.tierProgressStyle === 'displayNextTierOnly'
  return <Skeleton height={isCard ? '13.375rem' : '23.25rem'} radius="card" />
}
