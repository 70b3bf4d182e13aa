import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type Coupon,
  couponCodeDetail,
  type CouponStatus,
  getCustomerCoupons,
  getStoreAssignedCoupons,
} from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import { type Data } from '@tillside/contract/wire/endpoint'
import { call } from '../kit/call/call.ts'

/** More than the overview shows, so that the next one is there the moment one is used. */
const usableLimit = 8

/** The member's coupons that can still be used, the one that ends first at the top. */
export const usableCouponsQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'coupons', 'ISSUED'],
    queryFn: ({ signal }) =>
      call(
        getCustomerCoupons,
        { memberCode, status: 'ISSUED', pageSize: usableLimit },
        { signal, quiet: true },
      ),
  })

const first = 30
const further = 20

/** The member's coupons in one status, in the server's order, page after page. */
export const couponListQuery = (memberCode: string, status: CouponStatus) =>
  infiniteQueryOptions({
    queryKey: ['member', memberCode, 'coupons', 'list', status],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === '' ? { pageSize: first } : { pageSize: further, cursor: pageParam }
      return call(getCustomerCoupons, { memberCode, status, ...page }, { signal, quiet: true })
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** What this store may issue to this member today. */
export const assignedQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'coupons', 'assigned'],
    queryFn: ({ signal }) => call(getStoreAssignedCoupons, { memberCode }, { signal, quiet: true }),
  })

export type CouponOwner = Data<typeof couponCodeDetail>['member']

/** Asks whose coupon a code is, wherever it may be in the company. */
export function findCoupon(couponCode: string): Promise<Data<typeof couponCodeDetail>> {
  return call(couponCodeDetail, { couponCode }, { quiet: true })
}

/** Shows at once what the server has confirmed, and asks anew for all that may depend on it. */
export function applyRedemption(
  queries: QueryClient,
  memberCode: string,
  coupons: readonly Coupon[],
): void {
  queries.setQueryData(usableCouponsQuery(memberCode).queryKey, (known) =>
    known === undefined ? known : removeCoupons(known, coupons),
  )
  queries.setQueryData(couponListQuery(memberCode, 'ISSUED').queryKey, (known) =>
    known === undefined
      ? known
      : { ...known, pages: known.pages.map((page) => removeCoupons(page, coupons)) },
  )
  invalidateMember(queries, memberCode)
}

/** Asks anew for all that is shown of a member. */
export function invalidateMember(queries: QueryClient, memberCode: string): void {
  void queries.invalidateQueries({ queryKey: ['member', memberCode] })
}

type Coupons = Data<typeof getCustomerCoupons>

function removeCoupons({ items, counts, nextCursor }: Coupons, used: readonly Coupon[]): Coupons {
  const codes = new Set(used.map(({ code }) => code))
  const left = items.filter(({ code }) => !codes.has(code))
  const moved = items.length - left.length
  return {
    items: left,
    nextCursor,
    counts: { ...counts, ISSUED: counts.ISSUED - moved, USED: counts.USED + moved },
  }
}

/**
 * The coupon among those on screen that somebody means. A union code names a kind of coupon: of
 * several, the first that can be used is meant.
 */
export function findByCode(coupons: readonly Coupon[], typed: string): Coupon | null {
  const code = readCouponCode(typed)
  const own = coupons.find((coupon) => readCouponCode(coupon.code) === code)
  if (own !== undefined) return own
  const kind = coupons.filter(
    ({ unionCode }) => unionCode !== null && readCouponCode(unionCode) === code,
  )
  return kind.find(({ redeemable }) => redeemable) ?? kind[0] ?? null
}
