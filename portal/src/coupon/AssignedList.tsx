import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { AssignedCoupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import { formatPoints } from '../kit/text/format.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { Segmented } from '../ui/field/Segmented.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import { issueBlockerOf, availableFirst, filterByName } from './ticket.ts'
import { TicketSkeletons } from './UsableCoupons.tsx'
import { CouponLines } from './CouponTicket.tsx'
import { assignedQuery } from './coupons.ts'

type AssignedListProps = {
  memberCode: string
  usablePoints: number | null
  /** Why no points may be spent now, or null. */
  paused: string | null
  /** Limits the list to coupons of this kind. */
  only?: Way
  onChoose: (assigned: AssignedCoupon) => void
}

type Way = 'free' | 'points'

/** From this many coupons on, the list has a search field. */
const searchFrom = 8

/**
 * The coupons that this store may issue, free or for points. Coupons that this member cannot get
 * are last.
 */
export function AssignedList({ memberCode, only, ...offer }: AssignedListProps) {
  const { usablePoints } = offer
  const { t } = useLingui()
  const query = useQuery(assignedQuery(memberCode))
  const [wanted, setWanted] = useState<Way>('free')
  const [typed, setTyped] = useState('')
  const name = t({ id: 'nav.coupons', message: 'Coupons' })
  return (
    <Loaded query={query} name={name} skeleton={<TicketSkeletons />}>
      {({ items }) => {
        const ways = {
          free: items.filter(({ pointsCost }) => pointsCost === null),
          points: items.filter(({ pointsCost }) => pointsCost !== null),
        }
        const both = only === undefined && ways.free.length > 0 && ways.points.length > 0
        const way = only ?? (both ? wanted : ways.free.length > 0 ? 'free' : 'points')
        const shown = availableFirst(filterByName(ways[way], typed), usablePoints)
        return (
          <>
            {both ? <Ways way={way} onChange={setWanted} /> : null}
            {ways[way].length > searchFrom ? (
              <TextField
                label={t({ id: 'iss.search', message: 'Search coupons' })}
                value={typed}
                maxLength={64}
                autoComplete="off"
                onChange={(event) => setTyped(event.target.value)}
              />
            ) : null}
            {shown.length === 0 ? (
              <EmptyLine>
                {ways[way].length === 0
                  ? t({ id: 'iss.empty', message: 'This store has no coupons to issue.' })
                  : t({ id: 'iss.noMatch', message: 'No coupon with this name.' })}
              </EmptyLine>
            ) : (
              <ul className={`grid gap-3 ${only === undefined ? '' : 'medium:grid-cols-2'}`}>
                {shown.map((assigned) => (
                  <li key={assigned.couponId} className="grid">
                    <Offer assigned={assigned} {...offer} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Ways({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t({ id: 'cpn.issue', message: 'Issue coupon' })}
      value={way}
      onChange={onChange}
      options={[
        { value: 'free', label: t({ id: 'iss.free', message: 'Free' }) },
        { value: 'points', label: t({ id: 'iss.points', message: 'With points' }) },
      ]}
    />
  )
}

type OfferProps = Omit<AssignedListProps, 'memberCode' | 'only'> & { assigned: AssignedCoupon }

/** One coupon of the list: a button, or the reason why it cannot be issued. */
function Offer({ assigned, usablePoints, paused, onChoose }: OfferProps) {
  const { t } = useLingui()
  const whyNot = useWhyNot(assigned, usablePoints)
  const why = whyNot ?? (assigned.pointsCost === null ? null : paused)
  const off = why !== null
  const n = formatPoints(assigned.pointsCost ?? 0)
  return (
    <button
      type="button"
      aria-disabled={off || undefined}
      onClick={() => (off ? undefined : onChoose(assigned))}
      className={
        'flex min-h-20 w-full flex-col items-start justify-center gap-0.5 rounded-ticket border ' +
        'border-line px-[16px] py-3 text-start transition-colors duration-[120ms] ' +
        (off ? 'cursor-not-allowed! bg-canvas' : 'bg-surface hover:border-control')
      }
    >
      <span className={`line-clamp-2 text-strong ${off ? 'font-normal text-ink2' : ''}`}>
        {assigned.name}
      </span>
      <span className="num text-small text-ink2">
        <CouponLines {...assigned} {...assigned.validity} />
      </span>
      {assigned.pointsCost === null && !off ? null : (
        <span className="num flex flex-wrap gap-x-3 text-small">
          {assigned.pointsCost === null ? null : (
            <span className={off ? 'text-ink2' : 'font-semibold text-brand-text'}>
              {t({ id: 'iss.cost', message: `${n} points` })}
            </span>
          )}
          {off ? <span className="text-ink2">{why}</span> : null}
        </span>
      )}
    </button>
  )
}

/** Why this member cannot get the coupon now, or null. */
function useWhyNot(assigned: AssignedCoupon, usablePoints: number | null): string | null {
  const { t } = useLingui()
  const blocker = issueBlockerOf(assigned, usablePoints)
  if (blocker === null) return null
  if (blocker.kind === 'soldOut') return t({ id: 'ex.soldOut', message: 'None left' })
  const n = formatPoints(blocker.kind === 'limit' ? blocker.limit : blocker.points)
  return blocker.kind === 'limit'
    ? t({ id: 'ex.limit', message: `Limit of ${n} reached` })
    : t({ id: 'iss.short', message: `${n} more points needed` })
}
