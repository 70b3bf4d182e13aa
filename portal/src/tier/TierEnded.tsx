import HourglassIcon from 'virtual:icons/hourglass'
import { useLingui } from '@lingui/react/macro'
import { useDates } from '../company/calendar.ts'

/** Says that a tier's period has ended and that its review is pending. */
export function TierEnded({ endedOn }: { endedOn: string | null }) {
  const { t } = useLingui()
  const dates = useDates()
  if (endedOn === null) return null
  const ended = dates(endedOn)
  return (
    <span className="num mt-1 flex items-start gap-2 text-small">
      <HourglassIcon size="1.25em" className="mt-px shrink-0" aria-hidden="true" />
      {t({
        id: 'tier.ended',
        message: `The period before ended on ${ended}. Its review is pending.`,
      })}
    </span>
  )
}
