import { storedKeysRevision } from '../../kit/action/action.ts'
import { useSession } from '../../kit/call/session.ts'
import { useStore } from '../../kit/store/store.ts'
import { unansweredRedeems } from '../redeem.ts'

/**
 * The codes of the member's coupons whose redemption got no answer. The lists leave them out: their
 * tickets are drawn by `UnansweredRedeems`.
 */
export function useUnclearCodes(memberCode: string): ReadonlySet<string> {
  const clerk = useSession()
  useStore(storedKeysRevision)
  const asked = clerk === null ? [] : unansweredRedeems(clerk, memberCode)
  return new Set(
    asked.flatMap((one) => {
      if (one.kind === 'redeem') return [one.couponCode]
      return one.kind === 'redeem-many' ? one.couponCodes : []
    }),
  )
}
