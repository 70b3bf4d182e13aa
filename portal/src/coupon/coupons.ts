import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Coupon, getCustomerCoupons } from '@tillside/contract/coupon'
import { type Data } from '@tillside/contract/endpoint'
import { call } from '../kit/call.ts'

/** More than the overview shows, so that the next one is there the moment one is used. */
const atHand = 8

/** The member's coupons that can still be used, the one that ends first at the top. */
export const usableCouponsQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'coupons', 'ISSUED'],
    queryFn: ({ signal }) =>
      call(
        getCustomerCoupons,
        { memberCode, status: 'ISSUED', pageSize: atHand },
        { signal, quiet: true },
      ),
  })

/** Shows at once what the server has confirmed, and asks anew for all that may depend on it. */
export function couponUsed(queries: QueryClient, memberCode: string, coupon: Coupon): void {
  queries.setQueryData(usableCouponsQuery(memberCode).queryKey, (known) =>
    known === undefined ? known : without(known, coupon),
  )
  void queries.invalidateQueries({ queryKey: ['member', memberCode] })
}

type Coupons = Data<typeof getCustomerCoupons>

function without({ items, counts, nextCursor }: Coupons, { code }: Coupon): Coupons {
  const left = items.filter((item) => item.code !== code)
  const moved = items.length - left.length
  return {
    items: left,
    nextCursor,
    counts: { ...counts, ISSUED: counts.ISSUED - moved, USED: counts.USED + moved },
  }
}
