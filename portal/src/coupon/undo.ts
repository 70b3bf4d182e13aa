import type { LoginInfo } from '@tillside/contract/auth'
import { cancelCouponRedeem } from '@tillside/contract/coupon'
import type { Input } from '@tillside/contract/endpoint'
import { operationStatus } from '@tillside/contract/operation'
import { createAction } from '../kit/action.ts'
import { call } from '../kit/call.ts'
import { session } from '../kit/session.ts'

/** Takes one redemption back: the coupon can be used again within its validity. */
export function createCouponUndo(clerk: LoginInfo, input: Input<typeof cancelCouponRedeem>) {
  const owner = `${session.keyOf('coupon-undo')}:${clerk.staff.account}:${input.memberCode}:`
  return createAction({
    endpoint: cancelCouponRedeem,
    input,
    // The same key may only ever ask for the same thing, and the reason is a part of it.
    subject: owner + JSON.stringify(input),
    send: (asked, key) => call(cancelCouponRedeem, asked, { key, quiet: true }),
    check: (key) => call(operationStatus, { key }, { quiet: true }),
    store: sessionStorage,
  })
}
