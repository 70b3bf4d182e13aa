import { useQueryClient } from '@tanstack/react-query'
import type { LoginInfo } from '@tillside/contract/auth'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  redeemCoupon,
} from '@tillside/contract/coupon'
import type { Input } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { operationStatus } from '@tillside/contract/wire/operation'
import * as z from 'zod/mini'
import { createAction, unansweredKeyNames } from '../kit/action/action.ts'
import { call } from '../kit/call/call.ts'
import { Refusal, refusalData } from '../kit/call/failure.ts'
import { useSession } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'
import { keyNamePrefix, type ValueKind } from '../kit/action/keyNames.ts'
import { useAction, useOnAnswered } from '../kit/action/useAction.ts'
import { applyRedemption, invalidateMember } from './coupons.ts'

const check = (key: string) => call(operationStatus, { key }, { quiet: true })

/** The one redemption of one coupon, from the question to the answer. */
export function createRedeem(clerk: LoginInfo, memberCode: string, couponCode: string) {
  return createAction({
    endpoint: redeemCoupon,
    input: { memberCode, couponCode },
    keyName: keyNamePrefix('redeem', clerk, memberCode) + couponCode,
    send: (input, key) => call(redeemCoupon, input, { key, quiet: true }),
    check,
    store: tabStorage,
  })
}

/** The redemption of a coupon by the clerk who is here; what it changes is shown at once. */
export function useRedeem(memberCode: string, couponCode: string) {
  const queries = useQueryClient()
  const clerk = useSession()
  const { state, action } = useAction(
    clerk && (() => createRedeem(clerk, memberCode, couponCode)),
    couponCode,
  )
  useOnAnswered(state, () => {
    if (state.step === 'done') applyRedemption(queries, memberCode, [state.data])
    // A refusal means that the screen behind showed something that is no longer so.
    else invalidateMember(queries, memberCode)
  })
  return { state, redeem: action }
}

/** Which coupons of a batch stood in its way, each with the server's words. */
export type RefusedCoupons = ReadonlyMap<string, string>

/** The redemption of several coupons: all of them or none. */
export function createBatch(
  clerk: LoginInfo,
  memberCode: string,
  couponCodes: string[],
  onRefused?: (refused: RefusedCoupons) => void,
) {
  const tell = (error: unknown) => {
    const data = refusalData(error, failures.couponsRefused)
    if (data === null) return
    onRefused?.(new Map(data.items.map(({ couponCode, message }) => [couponCode, message])))
  }
  return createAction({
    endpoint: batchRedeemCoupons,
    input: { memberCode, couponCodes },
    keyName: keyNamePrefix('redeem-many', clerk, memberCode) + JSON.stringify(couponCodes),
    send: async (input, key) => {
      try {
        return await call(batchRedeemCoupons, input, { key, quiet: true })
      } catch (error) {
        tell(error)
        throw error
      }
    },
    check: async (key) => {
      const status = await check(key)
      const { answer } = status
      if (answer) tell(new Refusal(answer.code, answer.message, answer.data))
      return status
    },
    store: tabStorage,
  })
}

/** Takes one redemption back: the coupon can be used again within its validity. */
export function createCouponUndo(clerk: LoginInfo, input: Input<typeof cancelCouponRedeem>) {
  return createAction({
    endpoint: cancelCouponRedeem,
    input,
    keyName: keyNamePrefix('coupon-undo', clerk, input.memberCode) + JSON.stringify(input),
    send: (asked, key) => call(cancelCouponRedeem, asked, { key, quiet: true }),
    check,
    store: tabStorage,
  })
}

export type Order = Input<typeof issueCoupon>

/** Gives a member a coupon that costs nothing. */
export function createIssue(clerk: LoginInfo, order: Order) {
  return createAction({
    endpoint: issueCoupon,
    input: order,
    keyName: keyNamePrefix('issue', clerk, order.memberCode) + JSON.stringify(order),
    send: (input, key) => call(issueCoupon, input, { key, quiet: true }),
    check,
    store: tabStorage,
  })
}

/** What was sent from this tab for a member and never answered, each as it can be asked again. */
export type Unanswered =
  | { kind: 'redeem'; couponCode: string }
  | { kind: 'redeem-many'; couponCodes: string[] }
  | { kind: 'coupon-undo'; input: Input<typeof cancelCouponRedeem> }
  | { kind: 'issue'; order: Order }

/** All that was sent from this tab for this member and never answered. */
export function unansweredRedeems(clerk: LoginInfo, memberCode: string): Unanswered[] {
  const names = (kind: ValueKind) => {
    const prefix = keyNamePrefix(kind, clerk, memberCode)
    return unansweredKeyNames(tabStorage, prefix).map((name) => name.slice(prefix.length))
  }
  const read = <S extends z.ZodMiniType>(kind: ValueKind, schema: S) =>
    names(kind).flatMap((name) => {
      const parsed = z.safeParse(schema, parsedJson(name))
      return parsed.success ? [parsed.data] : []
    })
  return [
    ...names('redeem').map((couponCode) => ({ kind: 'redeem' as const, couponCode })),
    ...read('redeem-many', z.array(z.string())).map((couponCodes) => ({
      kind: 'redeem-many' as const,
      couponCodes,
    })),
    ...read('coupon-undo', cancelCouponRedeem.input).map((input) => ({
      kind: 'coupon-undo' as const,
      input,
    })),
    ...read('issue', issueCoupon.input).map((order) => ({ kind: 'issue' as const, order })),
  ]
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
