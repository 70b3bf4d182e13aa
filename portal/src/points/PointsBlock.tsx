import { HourglassIcon } from '@phosphor-icons/react/dist/csr/Hourglass'
import { useLingui } from '@lingui/react/macro'
import type { MembershipInfo } from '@tillside/contract/member'
import { useDates } from '../company/calendar.ts'
import { formatPoints } from '../kit/format.ts'
import { Figure } from '../ui/Figure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

type Points = NonNullable<MembershipInfo['points']>

/** The balance as the one number, and what is lost next if nobody uses it. */
export function PointsBlock({ points }: { points: Points }) {
  const { t } = useLingui()
  const usable = formatPoints(points.valid)
  const next = points.expiringSoon[0]
  return (
    <section aria-labelledby="points-title" className="flex flex-col gap-1">
      <h2 id="points-title" className="text-small text-ink2">
        {t({ id: 'home.points', message: 'Points' })}
      </h2>
      <Figure size="l">{formatPoints(points.balance)}</Figure>
      {points.valid === points.balance ? null : (
        <p className="num text-small text-ink2">
          {t({ id: 'home.usable', message: `${usable} can be used today` })}
        </p>
      )}
      {next ? <Expiry {...next} /> : null}
    </section>
  )
}

function Expiry({ points, expiryDate }: Points['expiringSoon'][number]) {
  const { t } = useLingui()
  const n = formatPoints(points)
  const date = useDates()(expiryDate)
  return (
    <p className="num mt-2 flex items-start gap-2 border-t border-line pt-3 text-small">
      <HourglassIcon
        size="1.25em"
        className="mt-[0.1em] shrink-0 text-warning"
        aria-hidden="true"
      />
      <span>{t({ id: 'home.expire', message: `${n} points expire on ${date}` })}</span>
    </p>
  )
}

/** The bar of the number that is coming. */
export function PointsSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      <Skeleton width="4rem" height="1.25rem" />
      <Skeleton width="9rem" height="2.5rem" />
    </div>
  )
}
