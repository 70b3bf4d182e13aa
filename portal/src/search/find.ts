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

/** Who was found: by their code, with the coupon that was asked for. */
export type Found = { memberCode: string; coupon: string | null; by: LookUp }

/** At least one question; the next one only where the last one named nobody. */
export type Candidates = readonly [Candidate, ...Candidate[]]

/** Asks who is meant, and opens nobody. */
export function useResolveMember(): (candidates: Candidates) => Promise<Found> {
  const queries = useQueryClient()
  const permissions = usePermissions()
  const maySeeCoupons = seesCoupons(permissions)
  return ([first, ...rest]) => {
    const [next, ...others] = rest
    // Without the right to it a coupon's code is still somebody's own code, perhaps.
    const isHidden = 'coupon' in first && !maySeeCoupons && next !== undefined
    return firstFound(queries, isHidden ? [next, ...others] : [first, ...rest], maySeeCoupons)
  }
}

/** Looks a member up and opens them; an answer that comes after the clerk has left opens nobody. */
export function useFindMember() {
  const navigate = useNavigate()
  const mutationFn = useResolveMember()
  const finding = useMutation({ mutationFn, networkMode: 'always' })
  const queries = useQueryClient()
  return {
    ...finding,
    /** Gives up what hangs, and asks anew. */
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

/** Where a member that was found is shown; a coupon of theirs is asked about at once. */
export function pageOf({ memberCode, coupon }: Found): Address {
  return coupon === null
    ? paths.memberHome({ code: memberCode })
    : paths.memberCoupon(memberCode, coupon)
}

function seesCoupons(permissions: ReadonlySet<Permission>): boolean {
  return (
    permissions.has('couponView') || (permissions.has('coupon') && permissions.has('couponRedeem'))
  )
}

/** The first that names somebody. When none does, why the first one did not. */
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

/** Whether the server has looked, and it is nobody's. */
export function isNotFound(error: unknown): boolean {
  const isCoupon = error instanceof Refusal && error.refusal === 'couponUnknown'
  return isUnknownMember(error) || isCoupon
}

/** Reads a text that may be anything; waits for the rules of numbers if it must. */
export function useParse(): (text: string) => Promise<Parsed | null> {
  const { callingCode, callingCodes } = useCallingCode()
  return async (text) => {
    const phones = await loadPhones().catch(() => null)
    return parse(text, readerOf(phones, callingCode, callingCodes))
  }
}

type FindOptions = {
  /** Take the place of this page in the history. */
  replace?: boolean
  onFound?: () => void
  onFailed?: (error: Error) => void
}
