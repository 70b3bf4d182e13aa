import { configQuery } from '../company/config.ts'
import { queryClient } from '../kit/call/query.ts'
import { memberQuery, membershipQuery } from '../member/member.ts'
import { lookUpIn, paths, queryIn } from '../paths.ts'

/** Loads the member that the address names, in parallel with the clerk's permissions. */
export function prefetchMember({ pathname, search }: Location): void {
  // The customer display asks the server for nothing.
  if (pathname.endsWith(paths.display().to)) return
  void queryClient.prefetchQuery(configQuery)
  const lookUp = lookUpIn(queryIn(search))
  if (!pathname.includes('/member/home/') || lookUp === null) return
  void queryClient.prefetchQuery(memberQuery(lookUp))
  if ('code' in lookUp) void queryClient.prefetchQuery(membershipQuery(lookUp.code))
}
