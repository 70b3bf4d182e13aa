import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { call } from '../kit/call.ts'
import { Refusal } from '../kit/failure.ts'
import { type LookUp, paths } from '../paths.ts'

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
  const finding = useMutation({
    mutationFn: (lookUp: LookUp) => queries.fetchQuery(memberQuery(lookUp)),
    networkMode: 'always',
  })
  return {
    ...finding,
    find: (lookUp: LookUp, { replace = false, onFound, onFailed }: FindOptions = {}) =>
      finding.mutate(lookUp, {
        onSuccess: (member) => {
          const named = { code: member.memberCode }
          queries.setQueryData(memberQuery(named).queryKey, member)
          onFound?.()
          void navigate({ ...paths.memberHome(named), replace })
        },
        onError: (error) => onFailed?.(error),
      }),
  }
}

type FindOptions = {
  /** Take the place of this page in the history. */
  replace?: boolean
  onFound?: () => void
  onFailed?: (error: Error) => void
}
