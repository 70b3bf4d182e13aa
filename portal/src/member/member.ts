import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import type { Permission } from '@tillside/contract/permissions'
import { findCoupon } from '../coupon/coupons.ts'
import { call } from '../kit/call.ts'
import { Refusal } from '../kit/failure.ts'
import { type LookUp, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'

/** One member, by whatever names them. The peek and the search ask with the same key, so once. */
export const memberQuery = (lookUp: LookUp) =>
  queryOptions({
    queryKey: ['member', 'by', lookUp],
    queryFn: () => call(getOneCustomer, lookUp, { quiet: true }),
  })

/** Tier, points and counts of a member; what the clerk may not see is null. */
export const membershipQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'membership'],
    queryFn: ({ signal }) => call(membershipInfo, { memberCode }, { signal, quiet: true }),
  })

/** Whether the server has looked and there is nobody. */
export function isUnknownMember(error: unknown): boolean {
  return error instanceof Refusal && error.refusal === 'memberUnknown'
}

/** Looks a member up and opens them; an answer that comes after the clerk has left opens nobody. */
export function useFindMember() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const permissions = usePermissions()
  const finding = useMutation({
    mutationFn: (lookUp: LookUp) => findOne(queries, lookUp, seesCoupons(permissions)),
    networkMode: 'always',
  })
  return {
    ...finding,
    find: (lookUp: LookUp, { replace = false, onFound, onFailed }: FindOptions = {}) =>
      finding.mutate(lookUp, {
        onSuccess: ({ code, coupon }) => {
          onFound?.()
          const to = coupon === null ? paths.memberHome({ code }) : paths.memberCoupon(code, coupon)
          void navigate({ ...to, replace })
        },
        onError: (error) => onFailed?.(error),
      }),
  }
}

function seesCoupons(permissions: ReadonlySet<Permission>): boolean {
  return (
    permissions.has('couponView') || (permissions.has('coupon') && permissions.has('couponRedeem'))
  )
}

/** The member; or, for a code that is nobody's, the member whose coupon it is. */
async function findOne(
  queries: QueryClient,
  lookUp: LookUp,
  maySeeCoupons: boolean,
): Promise<{ code: string; coupon: string | null }> {
  try {
    const member = await queries.fetchQuery(memberQuery(lookUp))
    const named = { code: member.memberCode }
    queries.setQueryData(memberQuery(named).queryKey, member)
    return { ...named, coupon: null }
  } catch (error) {
    if (!isUnknownMember(error) || !('code' in lookUp) || !maySeeCoupons) throw error
    const found = await findCoupon(lookUp.code).catch(() => null)
    if (found === null) throw error
    return { code: found.member.memberCode, coupon: found.code }
  }
}

type FindOptions = {
  /** Take the place of this page in the history. */
  replace?: boolean
  onFound?: () => void
  onFailed?: (error: Error) => void
}
