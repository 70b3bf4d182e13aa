import { useLingui } from '@lingui/react/macro'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Coupon, CouponStatus, getCustomerCoupons } from '@tillside/contract/coupon'
import type { Data } from '@tillside/contract/wire/endpoint'
import { useEffect, useRef, useState } from 'react'
import { LoadFailed } from '../kit/page/LoadFailed.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { useOnline } from '../kit/device/online.ts'
import { usePermissions } from '../staff/permissions.ts'
import { Button } from '../ui/page/Button.tsx'
import { EmptyLine } from '../ui/page/EmptyLine.tsx'
import { CouponTicket, RedeemButton } from './CouponTicket.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import { filterByName, stacksOf } from './ticket.ts'
import { TicketSkeletons } from './UsableCoupons.tsx'

type CouponListProps = {
  query: UseInfiniteQueryResult<InfiniteData<Data<typeof getCustomerCoupons>>>
  status: CouponStatus
  /** The codes of coupons that are shown elsewhere. */
  without: ReadonlySet<string>
  /** The codes that are selected; null if the list is not for selecting. */
  picked: ReadonlySet<string> | null
  /** The selection has reached its limit. */
  full: boolean
  onPick: (code: string, isPicked: boolean) => void
  onRedeem: (coupon: Coupon) => void
  /** Undefined if the clerk may not see the details of a coupon. */
  onOpen: ((coupon: Coupon) => void) | undefined
}

/** From this many coupons on, the list can be filtered by name. */
const filterFrom = 12

/** The member's coupons of one status, as many as have been loaded. */
export function CouponList({ query, status, without, ...choosing }: CouponListProps) {
  const { t } = useLingui()
  const name = t({ id: 'nav.coupons', message: 'Coupons' })
  const [typed, setTyped] = useState('')
  return (
    <Loaded query={query} name={name} skeleton={<TicketSkeletons count={3} />}>
      {({ pages }) => {
        const coupons = pages.flatMap(({ items }) => items).filter(({ code }) => !without.has(code))
        if (coupons.length === 0) return <Empty status={status} />
        const found = filterByName(coupons, typed)
        return (
          <>
            {(pages[0]?.counts[status] ?? 0) < filterFrom ? null : (
              <TextField
                label={t({ id: 'iss.search', message: 'Search coupons' })}
                type="search"
                value={typed}
                maxLength={64}
                autoComplete="off"
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
            {found.length > 0 || query.hasNextPage ? (
              <Tickets coupons={found} isAll={!query.hasNextPage} {...choosing} />
            ) : (
              <EmptyLine>
                {t({ id: 'iss.noMatch', message: 'No coupon with this name.' })}
              </EmptyLine>
            )}
            <More query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

type TicketsProps = Omit<CouponListProps, 'query' | 'status' | 'without'> & {
  /** Whether all coupons of the status are loaded. */
  isAll: boolean
  coupons: readonly Coupon[]
}

function Tickets({ coupons, isAll, picked, full, onPick, onRedeem, onOpen }: TicketsProps) {
  const mayRedeem = usePermissions().has('couponRedeem')
  const tickOf = (coupon: Coupon) => {
    const checked = picked?.has(coupon.code) ?? false
    if (picked === null || !coupon.redeemable || !mayRedeem || (full && !checked)) return undefined
    return { checked, onChange: (next: boolean) => onPick(coupon.code, next) }
  }
  // Each coupon can be selected, so that selecting takes the stacks apart.
  const stacks =
    picked === null ? stacksOf(coupons, isAll) : coupons.map((top) => ({ top, count: 1 }))
  return (
    <ul className="flex flex-col gap-3">
      {stacks.map(({ top: coupon, count }) => (
        <li key={coupon.code}>
          <CouponTicket
            coupon={coupon}
            count={count}
            isAll={isAll}
            tick={tickOf(coupon)}
            onOpen={picked === null && onOpen ? () => onOpen(coupon) : undefined}
            action={
              mayRedeem && picked === null ? (
                <RedeemButton coupon={coupon} onRedeem={onRedeem} />
              ) : null
            }
          />
        </li>
      ))}
    </ul>
  )
}

function Empty({ status }: { status: CouponStatus }) {
  const { t } = useLingui()
  if (status === 'USED') {
    return <EmptyLine>{t({ id: 'cpn.emptyUsed', message: 'No redeemed coupons' })}</EmptyLine>
  }
  if (status === 'EXPIRED') {
    return <EmptyLine>{t({ id: 'cpn.emptyExpired', message: 'No expired coupons' })}</EmptyLine>
  }
  return <EmptyLine>{t({ id: 'home.noCoupons', message: 'No coupons to use' })}</EmptyLine>
}

/** Loads the next page when its place is about to become visible, or when its button is pressed. */
function More({ query }: Pick<CouponListProps, 'query'>) {
  const { t } = useLingui()
  const online = useOnline()
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const comesByItself = hasNextPage && !isFetching && !isFetchNextPageError && online
  useEffect(() => {
    if (!comesByItself || end.current === null) return undefined
    const near = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage()
      },
      { rootMargin: '400px' },
    )
    near.observe(end.current)
    return () => near.disconnect()
  }, [comesByItself, fetchNextPage])
  if (!hasNextPage) return null
  const waiting = {
    busy: query.isFetchingNextPage,
    disabled: !online,
  }
  const more = () => void fetchNextPage()
  return (
    <div ref={end}>
      {isFetchNextPageError ? (
        <LoadFailed {...waiting} error={query.error} onAgain={more}>
          {t({ id: 'common.loadFailed', message: 'This could not be loaded.' })}
        </LoadFailed>
      ) : (
        <div className="grid justify-center py-2">
          <Button {...waiting} kind="outlined" size="small" onClick={more}>
            {t({ id: 'cpn.more', message: 'Show 20 more' })}
          </Button>
        </div>
      )}
    </div>
  )
}
