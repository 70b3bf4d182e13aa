import { configQuery } from '../company/config.ts'
import { usableCouponsQuery } from '../coupon/coupons.ts'
import { queryClient } from '../kit/call/query.ts'
import { memberQuery, membershipQuery } from '../member/member.ts'
import { isDisplay, memberIn } from '../paths.ts'
import { loadHeaderSearch } from '../search/HeaderSearch.tsx'
import { loadGrants } from '../staff/permissions.ts'
import { lastReceiptQuery } from '../transaction/transactions.ts'
import { screens } from '../ui/page/useMedia.ts'

/**
 * Loads the member that the address names, in parallel with the clerk's permissions, and the search
 * of a wide screen's header. Fulfilled when everything is there, so that the first page can be
 * drawn once, with its data.
 */
export async function prefetchMember(at: Location): Promise<void> {
  // The customer display asks the server for nothing.
  if (isDisplay(at)) return
  const loads = [queryClient.prefetchQuery(configQuery)]
  const named = memberIn(at)
  if (named !== null) loads.push(queryClient.prefetchQuery(memberQuery(named.lookUp)))
  if (named !== null && matchMedia(screens.expanded).matches) loads.push(loadHeaderSearch())
  if (named !== null && 'code' in named.lookUp) {
    const { code } = named.lookUp
    loads.push(queryClient.prefetchQuery(membershipQuery(code)))
    if (named.tab === 'view') loads.push(prefetchOverview(code))
  }
  await Promise.all(loads)
}

async function prefetchOverview(memberCode: string): Promise<void> {
  const grants = await loadGrants().catch(() => null)
  await Promise.all([
    grants?.permissions.has('coupon') && queryClient.prefetchQuery(usableCouponsQuery(memberCode)),
    grants?.permissions.has('transaction') &&
      queryClient.prefetchQuery(lastReceiptQuery(memberCode)),
  ])
}
