import InfoIcon from 'virtual:icons/info'
import { useLingui } from '@lingui/react/macro'
import { useMoney } from '../company/money.ts'
import { useLanguage } from '../kit/text/language.ts'
import { Figure } from '../ui/paper/Figure.tsx'
import type { TierHero } from './progress.ts'

type TierMissingProps = {
  hero: TierHero
  /** The name of the member's tier. */
  tier: string
}

/** The amount that is missing for the next tier, as the largest number of the page. */
export function TierMissing({ hero, tier: own }: TierMissingProps) {
  const { t } = useLingui()
  const money = useMoney()
  // In Chinese the label precedes the number.
  const labelFirst = useLanguage() !== 'en-US'
  if (hero.kind === 'plain') return null
  if (hero.kind === 'top') {
    return <span className="text-title">{t({ id: 'tier.top', message: 'Highest tier' })}</span>
  }
  const tier = hero.kind === 'toStay' ? own : hero.tier
  if (hero.kind === 'ready') {
    return (
      <span className="text-title">
        {t({
          id: 'tier.ready',
          message: `Qualifies for ${tier}. The tier changes after the next sale.`,
        })}
      </span>
    )
  }
  const label =
    hero.kind === 'toNext'
      ? t({ id: 'tier.toNext', message: `to reach ${tier}` })
      : t({ id: 'tier.toStay', message: `to stay ${tier}` })
  const words = (
    <span className="block max-medium:text-small">
      {label}
      <InfoIcon
        size="1.15em"
        className="ms-1.5 inline align-[-0.2em] text-tier-sub medium:hidden"
        aria-hidden="true"
      />
    </span>
  )
  return (
    <>
      {labelFirst ? words : null}
      <Figure size="xl" as="span">
        {money(hero.gap)}
      </Figure>
      {labelFirst ? null : words}
    </>
  )
}
