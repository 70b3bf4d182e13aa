import { useLingui } from '@lingui/react/macro'
import type { TierStanding } from '@tillside/contract/tier'
import { formatMoney } from '../kit/format.ts'
import { useLanguage } from '../kit/language.ts'
import { useToday } from '../company/calendar.ts'
import { Figure } from '../ui/Figure.tsx'
import { Meter } from '../ui/Meter.tsx'
import { TierSurface } from '../ui/TierSurface.tsx'
import { type TierHero, tierProgress, type TierProgress } from './progress.ts'
import { TierHead } from './TierHead.tsx'
import { TierRenewal } from './TierRenewal.tsx'
import { useTierRank } from './tiers.ts'

/** The member's tier and the amount that leads to the next one, as the number to be read aloud. */
export function TierCard({ standing }: { standing: TierStanding }) {
  const { hero, bar, renew } = tierProgress(standing, useToday())
  const { tone } = useTierRank(standing.code)
  return (
    <TierSurface tone={tone}>
      <div className="flex flex-col gap-3">
        <TierHead standing={standing} pips />
        <Hero hero={hero} tier={standing.name} />
        {bar ? <Bar {...bar} /> : null}
        {renew ? <TierRenewal gap={renew.gap} by={renew.by} tier={standing.name} /> : null}
      </div>
    </TierSurface>
  )
}

function Hero({ hero, tier: own }: { hero: TierHero; tier: string }) {
  const { t } = useLingui()
  // Chinese says what the number is before it says the number.
  const labelFirst = useLanguage() !== 'en-US'
  if (hero.kind === 'plain') return null
  if (hero.kind === 'top') {
    return <p className="text-title">{t({ id: 'tier.top', message: 'Highest tier' })}</p>
  }
  const tier = hero.kind === 'toStay' ? own : hero.tier
  if (hero.kind === 'ready') {
    return (
      <p className="text-title">
        {t({ id: 'tier.ready', message: `Ready for ${tier}, updates after the next sale` })}
      </p>
    )
  }
  const label =
    hero.kind === 'toNext'
      ? t({ id: 'tier.toNext', message: `to reach ${tier}` })
      : t({ id: 'tier.toStay', message: `to stay ${tier}` })
  return (
    <div>
      {labelFirst ? <p>{label}</p> : null}
      <Figure size="l">{formatMoney(hero.gap)}</Figure>
      {labelFirst ? null : <p>{label}</p>}
    </div>
  )
}

function Bar({ spent, target, share }: NonNullable<TierProgress['bar']>) {
  const { t } = useLingui()
  const amount = formatMoney(spent)
  const total = formatMoney(target)
  return (
    <div className="flex flex-col gap-1.5">
      <Meter
        value={share}
        max={1}
        text={t({ id: 'tier.meter', message: `${amount} of ${total}` })}
      />
      <div className="num flex flex-wrap justify-between gap-x-4 text-small" aria-hidden="true">
        <span>{t({ id: 'tier.spent', message: `${amount} spent` })}</span>
        <span>{total}</span>
      </div>
    </div>
  )
}
