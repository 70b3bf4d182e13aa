import type { Coupon } from '@tillside/contract/coupon'
import { useEffect, useState } from 'react'
import { useSession } from '../../kit/call/session.ts'
import { useUndoMinutes } from '../RedeemSheet.tsx'
import { canUndoRedeem } from '../ticket.ts'

const checkEveryMs = 10_000

/** Whether this clerk's store may still undo the redemption. */
export function useCanUndo(coupon: Coupon): boolean {
  const minutes = useUndoMinutes()
  const clerk = useSession()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), checkEveryMs)
    return () => clearInterval(timer)
  }, [])
  return clerk !== null && canUndoRedeem(coupon, clerk.store.code, minutes, now)
}
