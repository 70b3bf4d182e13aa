import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { AssignedCoupon } from '@tillside/contract/coupon'
import { useState } from 'react'
import { formatPoints } from '../kit/text/format.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { Button } from '../ui/page/Button.tsx'
import { Ticket } from '../ui/paper/Ticket.tsx'
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

/**
 * One coupon of the list. Its stub has the button, whose area is the whole ticket, or the reason
 * for which it cannot be issued.
 */
function Offer({ assigned, usablePoints, paused, onChoose }: OfferProps) {
  const { t } = useLingui()
  const { name, pointsCost, validity } = assigned
  const whyNot = useWhyNot(assigned, usablePoints)
  const why = whyNot ?? (pointsCost === null ? null : paused)
  const label = t({ id: 'iss.one', message: 'Issue' })
  return (
    <Ticket
      state={why === null ? 'valid' : 'expired'}
      title={name}
      lines={<CouponLines {...assigned} {...validity} />}
      stub={
        <>
          <Cost points={pointsCost} muted={why !== null} />
          {why === null ? (
            <Button
              kind="tonal"
              size="small"
              className="static! after:absolute after:inset-0 @max-[30rem]:px-2!"
              aria-label={`${label}, ${name}`}
              onClick={() => onChoose(assigned)}
            >
              {label}
            </Button>
          ) : (
            <p className="text-small text-ink2">{why}</p>
          )}
        </>
      }
    />
  )
}

/** What the coupon costs the member; nothing for a free one. */
function Cost({ points, muted }: { points: number | null; muted: boolean }) {
  const { t } = useLingui()
  if (points === null) return null
  const n = formatPoints(points)
  return (
    <p
      className={
        'num mb-1 text-small max-medium:text-caption ' +
        (muted ? 'text-ink2' : 'font-semibold text-brand-text')
      }
    >
      {t({ id: 'iss.cost', message: `${n} points` })}
    </p>
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
