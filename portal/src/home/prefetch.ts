import { configQuery } from '../company/config.ts'
import { queryClient } from '../kit/call/query.ts'
import { memberQuery, membershipQuery } from '../member/member.ts'
import { isDisplay, memberIn } from '../paths.ts'

/** Loads the member that the address names, in parallel with the clerk's permissions. */
export function prefetchMember(at: Location): void {
  // The customer display asks the server for nothing.
  if (isDisplay(at)) return
  void queryClient.prefetchQuery(configQuery)
  const named = memberIn(at)
  if (named === null) return
  const { lookUp } = named
  void queryClient.prefetchQuery(memberQuery(lookUp))
  if ('code' in lookUp) void queryClient.prefetchQuery(membershipQuery(lookUp.code))
}
