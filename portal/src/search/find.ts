import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Member } from '@tillside/contract/member'
import { configQuery } from '../company/config.ts'
import { findCoupon } from '../coupon/coupons.ts'
import { Refusal } from '../kit/call/failure.ts'
import { isUnknownMember, memberQuery } from '../member/member.ts'
import { loadPhones, readAllOf } from '../member/phones.ts'
import { type Address, type LookUp, paths } from '../paths.ts'
import { usePermissions } from '../staff/permissions.ts'
import { rememberSearch } from './recent/recent.ts'
import { rememberBeginning } from './text/beginnings.ts'
import { type Candidate, type Candidates, type Kind, kindOf } from './text/parse.ts'
import { parse, type Parsed, type ReadMobiles } from './text/parse.ts'

/** The member that was found, and the coupon if its code was searched for. */
export type Found = {
  memberCode: string
  coupon: string | null
  by: LookUp
  /** The kind of the candidate that found the member. */
  kind: Kind
  /** A coupon's answer has only the name of its owner. */
  member: Pick<Member, 'firstName' | 'lastName'> & { tier: Member['tier'] }
}

/** How long the answer to a peek is that of the search too; as long as any answer is fresh. */
const peekedMs = 15_000

/** Finds the member for the candidates, without opening a page. */
export function useResolveMember(): (candidates: Candidates) => Promise<Found> {
  const queries = useQueryClient()
  const askable = useAskable()
  return async (candidates) => {
    const query = foundQuery(queries, askable(candidates))
    const known = queries.getQueryState(query.queryKey)
    if (known?.status === 'error' && known.fetchStatus === 'idle' && isNotFound(known.error)) {
      // The peek has just asked for the same, and each look-up is audited. The next search asks.
      queries.removeQueries({ queryKey: query.queryKey, exact: true })
      if (Date.now() - known.errorUpdatedAt < peekedMs) throw known.error
    }
    return queries.fetchQuery({ ...query, retry: false })
  }
}

/** The answer to a complete text while it is typed; `find` then shares it. */
export function usePeek(candidates: Candidates, enabled: boolean) {
  const queries = useQueryClient()
  const query = foundQuery(queries, useAskable()(candidates))
  return useQuery({ ...query, enabled, retry: false })
}

/** Cancels a peek that is not answered yet. */
export function useStopPeek(): (candidates: Candidates) => void {
  const queries = useQueryClient()
  const askable = useAskable()
  return (candidates) => {
    const asked = askable(candidates)
    const { queryKey } = foundQuery(queries, asked)
    void queries.cancelQueries({ queryKey, exact: true })
    for (const by of asked) {
      if ('coupon' in by) continue
      void queries.cancelQueries({ queryKey: memberQuery(by).queryKey, exact: true })
    }
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
    stop: () => queries.cancelQueries({ queryKey: ['member'] }),
    find: (candidates: Candidates, { replace = false, onFound }: FindOptions = {}) =>
      finding.mutate(candidates, {
        onSuccess: (found) => {
          onFound?.()
          rememberSearch(found.by)
          void navigate({ ...pageOf(found), replace })
        },
      }),
  }
}

/** The page that shows the member, or the coupon if there is one. */
export function pageOf({ memberCode, coupon }: Found): Address {
  return coupon === null
    ? paths.memberHome({ code: memberCode })
    : paths.memberCoupon(memberCode, coupon)
}

/** Leaves out coupons for clerks who may not see them. A text that can only be one is kept. */
export function useAskable(): (candidates: Candidates) => Candidates {
  const permissions = usePermissions()
  const maySeeCoupons = permissions.has('couponView') || permissions.has('couponRedeem')
  return (candidates) => {
    const [first, ...rest] = candidates.filter((one) => maySeeCoupons || !('coupon' in one))
    return first === undefined ? candidates : [first, ...rest]
  }
}

/** One answer for all candidates of a text. */
function foundQuery(queries: QueryClient, candidates: Candidates) {
  return queryOptions({
    queryKey: ['member', 'found', candidates],
    queryFn: () => firstFound(queries, candidates),
  })
}

/**
 * The first candidate that is found. The likeliest is asked alone, so that most searches see one
 * member at most; the others are then asked together, because a customer who is no member waits
 * for all of them. If none is found, throws the error of the first one.
 */
async function firstFound(queries: QueryClient, [one, ...others]: Candidates): Promise<Found> {
  try {
    return await lookUpCandidate(queries, one)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const answers = await Promise.allSettled(others.map((by) => lookUpCandidate(queries, by)))
    for (const answer of answers) {
      if (answer.status === 'fulfilled') return answer.value
      if (!isNotFound(answer.reason)) throw answer.reason
    }
    throw error
  }
}

async function lookUpCandidate(queries: QueryClient, by: Candidate): Promise<Found> {
  const kind = kindOf(by)
  if ('coupon' in by) {
    const { code: coupon, member } = await findCoupon(by.coupon)
    const { memberCode } = member
    const owner = { ...member, tier: null }
    return { memberCode, coupon, by: { code: memberCode }, kind, member: owner }
  }
  const member = await queries.fetchQuery(memberQuery(by))
  const { memberCode } = member
  for (const number of [memberCode, member.cardNumber]) rememberBeginning(number)
  queries.setQueryData(memberQuery({ code: memberCode }).queryKey, member)
  const remembered = 'uniCustomerNo' in by ? { code: memberCode } : by
  return { memberCode, coupon: null, by: remembered, kind, member }
}

/** Whether the server found no member or coupon. */
export function isNotFound(error: unknown): boolean {
  const isCoupon = error instanceof Refusal && error.refusal === 'couponUnknown'
  return isUnknownMember(error) || isCoupon
}

/**
 * Reads mobile numbers of the company's countries; waits until the phone number library and the
 * company's settings are loaded, because another country's number could be another member's.
 */
export function useLoadNumbers(): () => Promise<ReadMobiles> {
  const queries = useQueryClient()
  return async () => {
    const [phones, config] = await Promise.all([
      loadPhones().catch(() => null),
      queries.ensureQueryData(configQuery).catch(() => null),
    ])
    return readAllOf(phones, config?.callingCodes ?? [])
  }
}

/** Understands any text, as the search field does. */
export function useParse(): (text: string) => Promise<Parsed | null> {
  const loadNumbers = useLoadNumbers()
  return async (text) => parse(text, await loadNumbers())
}

type FindOptions = {
  /** Replaces the current page in the browser's history. */
  replace?: boolean
  onFound?: () => void
}
