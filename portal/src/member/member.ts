import { queryOptions } from '@tanstack/react-query'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import type { LookUp } from '../paths.ts'

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
