import { useLingui } from '@lingui/react/macro'
import type { TierStanding } from '@tillside/contract/tier'
import { useMoney } from '../company/money.ts'
import { useToday } from '../company/calendar.ts'
import { Meter } from '../ui/paper/Meter.tsx'
import { TierSurface } from '../ui/paper/TierSurface.tsx'
import { tierProgress, type TierProgress } from './progress.ts'
import { TierGap } from './TierGap.tsx'
import { TierHead } from './TierHead.tsx'
import { TierMissing } from './TierMissing.tsx'
import { TierRenewal } from './TierRenewal.tsx'
import { useTierRank } from './tiers.ts'

export type TierProps = { standing: TierStanding; memberCode: string }

/** The member's tier and the amount that is missing for the next one, as one large number. */
export function TierCard({ standing, memberCode }: TierProps) {
  const { hero, bar, renew } = tierProgress(standing, useToday())
  const { tone } = useTierRank(standing.code)
  return (
    <TierSurface tone={tone}>
      <div className="flex h-full flex-col gap-2 medium:gap-3">
        <TierHead standing={standing} pips />
        {hero.kind === 'plain' ? null : (
          <TierGap memberCode={memberCode}>
            <TierMissing hero={hero} tier={standing.name} />
          </TierGap>
        )}
        {bar ? <Bar {...bar} /> : null}
        {renew ? <TierRenewal gap={renew.gap} by={renew.by} tier={standing.name} /> : null}
      </div>
    </TierSurface>
  )
}

function Bar({ spent, target, share }: NonNullable<TierProgress['bar']>) {
  const { t } = useLingui()
  const money = useMoney()
  const amount = money(spent)
  const total = money(target)
  return (
    <div className="flex flex-col gap-1.5 max-medium:mt-auto">
      <Meter
        value={share}
        max={1}
        text={t({ id: 'tier.meter', message: `${amount} of ${total}` })}
      />
      <div
        className="num flex flex-wrap justify-between gap-x-4 text-small max-medium:hidden"
        aria-hidden="true"
      >
        <span>{t({ id: 'tier.spent', message: `${amount} spent` })}</span>
        <span>{total}</span>
      </div>
    </div>
  )
}
