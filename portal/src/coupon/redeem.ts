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

/** The action that redeems one coupon. */
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

/** Redeems a coupon as the current clerk, and updates the lists after the answer. */
export function useRedeem(memberCode: string, couponCode: string) {
  const queries = useQueryClient()
  const clerk = useSession()
  const { state, action } = useAction(
    clerk && (() => createRedeem(clerk, memberCode, couponCode)),
    couponCode,
  )
  useOnAnswered(state, () => {
    if (state.step === 'done') applyRedemption(queries, memberCode, [state.data])
    // A refusal means that the data on screen is out of date.
    else invalidateMember(queries, memberCode)
  })
  return { state, redeem: action }
}

/** The refused coupons of a batch: coupon code → the server's message. */
export type RefusedCoupons = ReadonlyMap<string, string>

/** The action that redeems several coupons, all or none. */
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

/** The action that undoes a redemption: the coupon can be used again within its validity. */
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

/** The action that issues a free coupon. */
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

/** A request of this tab that got no answer, with all that is needed to check it. */
export type Unanswered =
  | { kind: 'redeem'; couponCode: string }
  | { kind: 'redeem-many'; couponCodes: string[] }
  | { kind: 'coupon-undo'; input: Input<typeof cancelCouponRedeem> }
  | { kind: 'issue'; order: Order }

/** All unanswered coupon requests of this tab for a member. */
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
