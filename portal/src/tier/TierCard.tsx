import { useLingui } from '@lingui/react/macro'
import type { TierStanding } from '@tillside/contract/tier'
import { useMoney } from '../company/money.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useToday } from '../company/calendar.ts'
import { Figure } from '../ui/paper/Figure.tsx'
import { Meter } from '../ui/paper/Meter.tsx'
import { TierSurface } from '../ui/paper/TierSurface.tsx'
import { type TierHero, tierProgress, type TierProgress } from './progress.ts'
import { TierGap } from './TierGap.tsx'
import { TierHead } from './TierHead.tsx'
import { TierRenewal } from './TierRenewal.tsx'
import { useTierRank } from './tiers.ts'

export type TierProps = { standing: TierStanding; memberCode: string }

/** The member's tier and the amount that is missing for the next one, as one large number. */
export function TierCard({ standing, memberCode }: TierProps) {
  const { hero, bar, renew } = tierProgress(standing, useToday())
  const { tone } = useTierRank(standing.code)
  return (
    <TierSurface tone={tone}>
      <div className="flex flex-col gap-3">
        <TierHead standing={standing} pips />
        {hero.kind === 'plain' ? null : (
          <TierGap memberCode={memberCode}>
            <Hero hero={hero} tier={standing.name} />
          </TierGap>
        )}
        {bar ? <Bar {...bar} /> : null}
        {renew ? <TierRenewal gap={renew.gap} by={renew.by} tier={standing.name} /> : null}
      </div>
    </TierSurface>
  )
}

function Hero({ hero, tier: own }: { hero: TierHero; tier: string }) {
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
  return (
    <>
      {labelFirst ? <span className="block">{label}</span> : null}
      <Figure size="l" as="span">
        {money(hero.gap)}
      </Figure>
      {labelFirst ? null : <span className="block">{label}</span>}
    </>
  )
}

function Bar({ spent, target, share }: NonNullable<TierProgress['bar']>) {
  const { t } = useLingui()
  const money = useMoney()
  const amount = money(spent)
  const total = money(target)
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
