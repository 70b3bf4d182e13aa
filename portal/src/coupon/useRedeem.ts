import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from '../kit/session.ts'
import { couponUsed } from './coupons.ts'
import { createRedeem } from './redeem.ts'

const idle = { step: 'idle' } as const
const nothingToHear = () => () => undefined
const nothingToSay = () => idle

/** The redemption of a coupon by the clerk who is here; what it changes is shown at once. */
export function useRedeem(memberCode: string, couponCode: string) {
  const queries = useQueryClient()
  const clerk = useSession()
  const [redeem] = useState(() => {
    const made = clerk && createRedeem(clerk, memberCode, couponCode)
    made?.open()
    return made
  })
  const state = useSyncExternalStore(
    redeem?.subscribe ?? nothingToHear,
    redeem?.state ?? nothingToSay,
  )
  useEffect(() => {
    if (state.step === 'done') couponUsed(queries, memberCode, state.data)
    // A refusal means that the screen behind showed something that is no longer so.
    if (state.step === 'refused') {
      void queries.invalidateQueries({ queryKey: ['member', memberCode] })
    }
  }, [queries, memberCode, state])
  return { state, redeem }
}
