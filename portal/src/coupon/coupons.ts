import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  skipToken,
} from '@tanstack/react-query'
import {
  type Coupon,
  couponCodeDetail,
  type CouponStatus,
  getCustomerCoupons,
  getStoreAssignedCoupons,
} from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import { type Data } from '@tillside/contract/wire/endpoint'
import { usableCouponsOf } from '../ahead/inputs.ts'
import { call } from '../kit/call/call.ts'
import { ownData } from '../kit/call/query.ts'

/** The member's coupons that can be used, soonest expiry first. */
export const usableCouponsQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'coupons', 'ISSUED'],
    queryFn: ({ signal }) =>
      call(getCustomerCoupons, usableCouponsOf(memberCode), { signal, quiet: true }),
  })

const first = 30
const further = 20

/** The member's coupons of one status, in the server's order, page by page. */
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

/**
 * The coupons redeemed since the member was opened, the newest first. "Next customer" removes them
 * with the member's other data.
 */
export const redeemedQuery = (memberCode: string) =>
  queryOptions<readonly Coupon[]>({
    queryKey: ['member', memberCode, 'redeemed'],
    queryFn: skipToken,
    initialData: [],
    staleTime: Infinity,
    gcTime: Infinity,
    meta: ownData,
  })

/** Removes a coupon whose redemption was undone from those of this visit. */
export function forgetRedeemed(queries: QueryClient, memberCode: string, code: string): void {
  queries.setQueryData(redeemedQuery(memberCode).queryKey, (known = []) =>
    known.filter((coupon) => coupon.code !== code),
  )
}

/** The coupons that this store may issue to this member today. */
export const assignedQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'coupons', 'assigned'],
    queryFn: ({ signal }) => call(getStoreAssignedCoupons, { memberCode }, { signal, quiet: true }),
  })

export type CouponOwner = Data<typeof couponCodeDetail>['member']

/** Looks up a coupon of any member of the company by its code. */
export function findCoupon(couponCode: string): Promise<Data<typeof couponCodeDetail>> {
  return call(couponCodeDetail, { couponCode }, { quiet: true })
}

/** One coupon of this member by its code, in any status. */
export const couponQuery = (memberCode: string, code: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['member', memberCode, 'coupon', code],
    queryFn: () => findCoupon(code),
    enabled,
    retry: false,
  })

/**
 * Applies a confirmed redemption to the loaded lists, then reloads everything that depends on it.
 */
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
  const { queryKey } = redeemedQuery(memberCode)
  queries.setQueryDefaults(queryKey, { gcTime: Infinity, meta: ownData })
  const codes = new Set(coupons.map(({ code }) => code))
  queries.setQueryData(queryKey, (known = []) => [
    ...coupons,
    ...known.filter(({ code }) => !codes.has(code)),
  ])
  invalidateMember(queries, memberCode)
}

/** Reloads all data of a member. */
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
 * Finds the loaded coupon with this code. All coupons of one definition share a union code; of
 * several, the first that can be redeemed is returned.
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
