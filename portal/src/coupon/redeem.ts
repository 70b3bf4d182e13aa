import type { LoginInfo } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import { operationStatus } from '@tillside/contract/operation'
import { createAction, unanswered } from '../kit/action.ts'
import { call } from '../kit/call.ts'
import { session } from '../kit/session.ts'

// A key belongs to the clerk who sent it: nobody else could ask what became of it.
const subject = (clerk: LoginInfo, memberCode: string) =>
  `${session.keyOf('redeem')}:${clerk.staff.account}:${memberCode}:`

/** The one redemption of one coupon, from the question to the answer. */
export function createRedeem(clerk: LoginInfo, memberCode: string, couponCode: string) {
  return createAction({
    endpoint: redeemCoupon,
    input: { memberCode, couponCode },
    subject: subject(clerk, memberCode) + couponCode,
    send: (input, key) => call(redeemCoupon, input, { key, quiet: true }),
    check: (key) => call(operationStatus, { key }, { quiet: true }),
    store: sessionStorage,
  })
}

export type Redeem = ReturnType<typeof createRedeem>

/** The member's coupons whose redemption was sent from this tab and never answered. */
export function unansweredRedeems(clerk: LoginInfo, memberCode: string): string[] {
  const beginning = subject(clerk, memberCode)
  return unanswered(sessionStorage, beginning).map((name) => name.slice(beginning.length))
}
