import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Permission } from '@tillside/contract/wire/permissions'
import { findCoupon } from '../coupon/coupons.ts'
import { Refusal } from '../kit/call/failure.ts'
import { isUnknownMember, memberQuery } from '../member/member.ts'
import { loadPhones, readerOf, useCallingCode } from '../member/phones.ts'
import { type Address, type LookUp, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { remember } from './recent.ts'
import { type Ask, understand, type Understood } from './typed.ts'

/** Who was found: by their code, with the coupon that was asked for. */
export type Found = { memberCode: string; coupon: string | null; by: LookUp }

/** At least one question; the next one only where the last one named nobody. */
export type Asks = readonly [Ask, ...Ask[]]

/** Asks who is meant, and opens nobody. */
export function useAskWho(): (asks: Asks) => Promise<Found> {
  const queries = useQueryClient()
  const permissions = usePermissions()
  const maySeeCoupons = seesCoupons(permissions)
  return ([first, ...rest]) => {
    const [next, ...others] = rest
    // Without the right to it a coupon's code is still somebody's own code, perhaps.
    const isHidden = 'coupon' in first && !maySeeCoupons && next !== undefined
    return firstOf(queries, isHidden ? [next, ...others] : [first, ...rest], maySeeCoupons)
  }
}

/** Looks a member up and opens them; an answer that comes after the clerk has left opens nobody. */
export function useFindMember() {
  const navigate = useNavigate()
  const mutationFn = useAskWho()
  const finding = useMutation({ mutationFn, networkMode: 'always' })
  const queries = useQueryClient()
  return {
    ...finding,
    /** Gives up what hangs, and asks anew. */
    stop: () => queries.cancelQueries({ queryKey: ['member', 'by'] }),
    find: (asks: Asks, { replace = false, onFound, onFailed }: FindOptions = {}) =>
      finding.mutate(asks, {
        onSuccess: (found) => {
          onFound?.()
          remember(found.by)
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
async function firstOf(
  queries: QueryClient,
  [one, ...others]: Asks,
  maySeeCoupons: boolean,
): Promise<Found> {
  try {
    return await ask(queries, one)
  } catch (error) {
    const [next, ...rest] = others.filter((other) => maySeeCoupons || !('coupon' in other))
    if (!isNobody(error) || next === undefined) throw error
    return firstOf(queries, [next, ...rest], maySeeCoupons).catch((later: unknown) => {
      throw isNobody(later) ? error : later
    })
  }
}

async function ask(queries: QueryClient, by: Ask): Promise<Found> {
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
export function isNobody(error: unknown): boolean {
  const isCoupon = error instanceof Refusal && error.refusal === 'couponUnknown'
  return isUnknownMember(error) || isCoupon
}

/** Reads a text that may be anything; waits for the rules of numbers if it must. */
export function useUnderstand(): (text: string) => Promise<Understood | null> {
  const { callingCode, callingCodes } = useCallingCode()
  return async (text) => {
    const phones = await loadPhones().catch(() => null)
    return understand(text, readerOf(phones, callingCode, callingCodes))
  }
}

type FindOptions = {
  /** Take the place of this page in the history. */
  replace?: boolean
  onFound?: () => void
  onFailed?: (error: Error) => void
}
