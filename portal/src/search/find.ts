import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Permission } from '@tillside/contract/wire/permissions'
import { findCoupon } from '../coupon/coupons.ts'
import { Refusal } from '../kit/call/failure.ts'
import { isUnknownMember, memberQuery } from '../member/member.ts'
import { loadPhones, readerOf, useCallingCode } from '../member/phones.ts'
import { type Address, type LookUp, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { rememberSearch } from './recent.ts'
import { type Candidate, parse, type Parsed } from './parse.ts'

/** The member that was found, and the coupon if its code was searched for. */
export type Found = { memberCode: string; coupon: string | null; by: LookUp }

/** At least one candidate; each is tried only if the previous ones found no member. */
export type Candidates = readonly [Candidate, ...Candidate[]]

/** Finds the member for the candidates, without opening a page. */
export function useResolveMember(): (candidates: Candidates) => Promise<Found> {
  const queries = useQueryClient()
  const permissions = usePermissions()
  const maySeeCoupons = seesCoupons(permissions)
  return ([first, ...rest]) => {
    const [next, ...others] = rest
    // Without the permission for coupons, the text may still be a member's code.
    const isHidden = 'coupon' in first && !maySeeCoupons && next !== undefined
    return firstFound(queries, isHidden ? [next, ...others] : [first, ...rest], maySeeCoupons)
  }
}

/** Finds a member and opens the page, unless the clerk has left the search in the meantime. */
export function useFindMember() {
  const navigate = useNavigate()
  const mutationFn = useResolveMember()
  const finding = useMutation({ mutationFn, networkMode: 'always' })
  const queries = useQueryClient()
  return {
    ...finding,
    /** Cancels a hanging search. */
    stop: () => queries.cancelQueries({ queryKey: ['member', 'by'] }),
    find: (candidates: Candidates, { replace = false, onFound, onFailed }: FindOptions = {}) =>
      finding.mutate(candidates, {
        onSuccess: (found) => {
          onFound?.()
          rememberSearch(found.by)
          void navigate({ ...pageOf(found), replace })
        },
        onError: (error) => onFailed?.(error),
      }),
  }
}

/** The page that shows the member, or the coupon if there is one. */
export function pageOf({ memberCode, coupon }: Found): Address {
  return coupon === null
    ? paths.memberHome({ code: memberCode })
    : paths.memberCoupon(memberCode, coupon)
}

function seesCoupons(permissions: ReadonlySet<Permission>): boolean {
  return permissions.has('couponView') || permissions.has('couponRedeem')
}

/** The first candidate that is found. If none is, throws the error of the first one. */
async function firstFound(
  queries: QueryClient,
  [one, ...others]: Candidates,
  maySeeCoupons: boolean,
): Promise<Found> {
  try {
    return await lookUpCandidate(queries, one)
  } catch (error) {
    const [next, ...rest] = others.filter((other) => maySeeCoupons || !('coupon' in other))
    if (!isNotFound(error) || next === undefined) throw error
    return firstFound(queries, [next, ...rest], maySeeCoupons).catch((later: unknown) => {
      throw isNotFound(later) ? error : later
    })
  }
}

async function lookUpCandidate(queries: QueryClient, by: Candidate): Promise<Found> {
  if ('coupon' in by) {
    const { code: coupon, member } = await findCoupon(by.coupon)
    return { memberCode: member.memberCode, coupon, by: { code: member.memberCode } }
  }
  const member = await queries.fetchQuery(memberQuery(by))
  const { memberCode } = member
  queries.setQueryData(memberQuery({ code: memberCode }).queryKey, member)
  return { memberCode, coupon: null, by: 'uniCustomerNo' in by ? { code: memberCode } : by }
}

/** Whether the server found no member or coupon. */
export function isNotFound(error: unknown): boolean {
  const isCoupon = error instanceof Refusal && error.refusal === 'couponUnknown'
  return isUnknownMember(error) || isCoupon
}

/** Parses any text; waits until the phone number library is loaded. */
export function useParse(): (text: string) => Promise<Parsed | null> {
  const { callingCode, callingCodes } = useCallingCode()
  return async (text) => {
    const phones = await loadPhones().catch(() => null)
    return parse(text, readerOf(phones, callingCode, callingCodes))
  }
}

type FindOptions = {
  /** Replaces the current page in the browser's history. */
  replace?: boolean
  onFound?: () => void
  onFailed?: (error: Error) => void
}
