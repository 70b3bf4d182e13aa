import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useTheme } from '../company/company.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { screens, useMedia } from '../ui/page/useMedia.ts'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { TierCard, type TierProps } from './TierCard.tsx'
import { TierLadder } from './TierLadder.tsx'
import { tiersQuery } from './tiers.ts'

/** The tier in the style that the company has chosen. */
export function TierBlock({ standing, memberCode }: TierProps) {
  const { layoutStyleConfig } = useTheme()
  const isPhone = !useMedia(screens.medium)
  // A phone shows the ladder below the coupons.
  if (isPhone || layoutStyleConfig.tierProgressStyle === 'displayNextTierOnly') {
    return <TierCard standing={standing} memberCode={memberCode} />
  }
  return <Ladder standing={standing} memberCode={memberCode} />
}

/** The ladder below a phone's overview, if the company shows all tiers. */
export function PhoneLadder({ standing, memberCode }: TierProps) {
  const { layoutStyleConfig } = useTheme()
  const isPhone = !useMedia(screens.medium)
  if (!isPhone || layoutStyleConfig.tierProgressStyle === 'displayNextTierOnly') return null
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
  const isPhone = !useMedia(screens.medium)
  if (isPhone) return <Skeleton height="12rem" radius="card" />
  const isCard = layoutStyleConfig.tierProgressStyle === 'displayNextTierOnly'
  return <Skeleton height={isCard ? '13.375rem' : '23.25rem'} radius="card" />
}
