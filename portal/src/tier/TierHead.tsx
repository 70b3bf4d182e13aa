import { useLingui } from '@lingui/react/macro'
import type { TierStanding } from '@tillside/contract/tier'
import { hasNoEnd } from '@tillside/contract/rules/day'
import { useDates } from '../company/calendar.ts'
import { TierEnded } from './TierEnded.tsx'
import { TierPips } from './TierPips.tsx'

/** The tier's name, its rank unless a ladder shows it, and its first and last day. */
export function TierHead({ standing, pips }: { standing: TierStanding; pips: boolean }) {
  const { t } = useLingui()
  const dates = useDates()
  const { code, name, startDate, expiryDate, endedOn } = standing
  const from = dates(startDate)
  const until = expiryDate === null ? '' : dates(expiryDate)
  return (
    <div>
      <h2 className="flex min-w-0 items-center gap-2 text-strong">
        {name}
        {pips ? <TierPips code={code} name={name} /> : null}
      </h2>
      <p className="num text-small text-tier-sub max-medium:hidden">
        {expiryDate === null || hasNoEnd(expiryDate)
          ? t({ id: 'tier.since', message: `since ${from}` })
          : t({ id: 'tier.period', message: `since ${from}, until ${until}` })}
      </p>
      {expiryDate === null || hasNoEnd(expiryDate) ? null : (
        <p className="num text-small text-tier-sub medium:hidden">
          {t({ id: 'tier.until', message: `until ${until}` })}
        </p>
      )}
      <TierEnded endedOn={endedOn} />
    </div>
  )
}
