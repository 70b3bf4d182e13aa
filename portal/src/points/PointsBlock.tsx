import HourglassIcon from 'virtual:icons/hourglass'
import InfoIcon from 'virtual:icons/info'
import { useLingui } from '@lingui/react/macro'
import type { MembershipInfo } from '@tillside/contract/member'
import { hasNoEnd } from '@tillside/contract/rules/day'
import { type ReactNode, useState } from 'react'
import { useDates } from '../company/calendar.ts'
import { formatPoints } from '../kit/text/format.ts'
import { Figure } from '../ui/paper/Figure.tsx'
import { ExplainHint } from '../kit/page/ExplainHint.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { Usable } from './explain/Usable.tsx'
import { later } from '../ui/load/later.tsx'

const ExplainPoints = later(async () => (await import('./explain/ExplainPoints.tsx')).ExplainPoints)

type Points = NonNullable<MembershipInfo['points']>

type PointsBlockProps = {
  points: Points
  memberCode: string
  /** The link to spend points. */
  action: ReactNode
}

/** The balance as one large number, and the points that expire next. */
export function PointsBlock({ points, memberCode, action }: PointsBlockProps) {
  const { t } = useLingui()
  const next = points.expiringSoon.find(({ expiryDate }) => !hasNoEnd(expiryDate))
  const title = t({ id: 'home.points', message: 'Points' })
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <ExplainBalance memberCode={memberCode} balance={points.balance}>
          <span className="flex items-center gap-1 text-small text-ink2">
            {title}
            <InfoIcon size="1.15em" className="text-ink3" aria-hidden="true" />
          </span>
          <Figure size="l" as="span">
            {formatPoints(points.balance)}
          </Figure>
        </ExplainBalance>
        {action}
      </div>
      <Usable balance={points.balance} valid={points.valid} />
      {next ? (
        <div className="mt-2 -mb-2 border-t border-line pt-1 expanded:mb-0">
          <Expiry {...next} memberCode={memberCode} balance={points.balance} />
        </div>
      ) : null}
    </section>
  )
}

type BalanceProps = { memberCode: string; balance: number; children: ReactNode }

/** Makes the balance a button that explains where the points are from. */
export function ExplainBalance({ memberCode, balance, children }: BalanceProps) {
  return (
    <Explained memberCode={memberCode} balance={balance} day={null} className="min-w-[5em] grow">
      {children}
    </Explained>
  )
}

type ExpiryProps = Points['expiringSoon'][number] & { memberCode: string; balance: number }

/** The points that expire next, as a button that explains them. */
export function Expiry({ points, expiryDate, memberCode, balance }: ExpiryProps) {
  const { t } = useLingui()
  const n = formatPoints(points)
  const date = useDates()(expiryDate)
  return (
    <Explained
      memberCode={memberCode}
      balance={balance}
      day={expiryDate}
      className="num flex min-h-11 w-full items-center gap-2 text-small"
    >
      <HourglassIcon
        size="1.25em"
        className="shrink-0 text-warning max-medium:hidden"
        aria-hidden="true"
      />
      <span className="min-w-0">
        {t({ id: 'home.expire', message: `${n} points expire on ${date}` })}
      </span>
      <InfoIcon size="1.15em" className="shrink-0 text-ink3 max-medium:hidden" aria-hidden="true" />
    </Explained>
  )
}

type ExplainedProps = BalanceProps & {
  /** The expiry day that is explained; null explains the whole balance. */
  day: string | null
  className: string
}

function Explained({ memberCode, balance, day, className, children }: ExplainedProps) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setState('open')}
        className={`rounded-tag text-start ${className}`}
      >
        {children}
        <ExplainHint />
      </button>
      {state === 'never' ? null : (
        <ExplainPoints
          open={state === 'open'}
          memberCode={memberCode}
          balance={balance}
          day={day}
          onClose={() => setState('closed')}
        />
      )}
    </>
  )
}

/** A placeholder in the shape of the balance. */
export function PointsSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      <Skeleton width="4rem" height="1.25rem" />
      <Skeleton width="9rem" height="2.5rem" />
      <Skeleton width="14rem" height="2.25rem" />
    </div>
  )
}
