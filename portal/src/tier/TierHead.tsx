import { useLingui } from '@lingui/react/macro'
import type { TierStanding } from '@tillside/contract/tier'
import { useDates } from '../company/calendar.ts'
import { TierPips } from './TierPips.tsx'

/** The tier's name, its rank unless a ladder shows it, and its last day. */
export function TierHead({ standing, pips }: { standing: TierStanding; pips: boolean }) {
  const { t } = useLingui()
  const dates = useDates()
  const { code, name, expiryDate } = standing
  const date = expiryDate === null ? null : dates(expiryDate)
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 className="flex min-w-0 items-center gap-2 text-strong">
        {name}
        {pips ? <TierPips code={code} name={name} /> : null}
      </h2>
      {date === null ? null : (
        <p className="num text-small text-tier-sub">
          {t({ id: 'tier.until', message: `until ${date}` })}
        </p>
      )}
    </div>
  )
}
