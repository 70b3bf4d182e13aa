import { queryOptions } from '@tanstack/react-query'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import type { LookUp } from '../paths.ts'

/**
 * One member by any look-up. The peek card and the search share the key, so the member is loaded
 * once.
 */
export const memberQuery = (lookUp: LookUp) =>
  queryOptions({
    queryKey: ['member', 'by', lookUp],
    queryFn: ({ signal }) => call(getOneCustomer, lookUp, { signal, quiet: true }),
  })

/** A member's tier, points and counts; parts that the clerk may not see are null. */
export const membershipQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'membership'],
    queryFn: ({ signal }) => call(membershipInfo, { memberCode }, { signal, quiet: true }),
  })

/** Whether the server found no such member. */
export function isUnknownMember(error: unknown): boolean {
  return error instanceof Refusal && error.refusal === 'memberUnknown'
}
