import type { LoginInfo } from '@tillside/contract/auth'
import { issueCouponByPoints } from '@tillside/contract/coupon'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { operationStatus } from '@tillside/contract/wire/operation'
import { cancelPoints, previewPoints, redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { type Action, createAction, unansweredKeyNames } from '../kit/action/action.ts'
import { call } from '../kit/call/call.ts'
import { Refusal } from '../kit/call/failure.ts'
import { tabStorage } from '../kit/store/storage.ts'
import { keyNamePrefix } from '../kit/action/keyNames.ts'

/** What is asked for: a reward, a coupon, or money off a sale; with the balance it counts on. */
export type SpendInput = Input<typeof previewPoints> & { expectedBalance?: number | undefined }

/** A reward, or money off a sale. */
export type RedeemInput = Exclude<SpendInput, { kind: 'coupon' }>
export type Redeemed = Data<typeof redeemPoints>

/** A coupon for points. */
export type PurchaseInput = Extract<SpendInput, { kind: 'coupon' }>
export type Purchased = Data<typeof issueCouponByPoints>

/**
 * One spending of points, from the question to the answer. Its whole input is part of its name:
 * the same key may only ever ask for the same thing.
 */
export function createSpend(clerk: LoginInfo, input: SpendInput): Action<Redeemed | Purchased> {
  return input.kind === 'coupon' ? createPurchase(clerk, input) : createRedemption(clerk, input)
}

const actionOptions = (clerk: LoginInfo, input: SpendInput) => ({
  keyName: keyNamePrefix('spend', clerk, input.memberCode) + requestName(input),
  check: (key: string) => call(operationStatus, { key }, { quiet: true }),
  store: tabStorage,
})

/** Points for a reward, or against a sale. */
export function createRedemption(
  clerk: LoginInfo,
  input: RedeemInput,
  onBalanceChanged?: () => void,
): Action<Redeemed> {
  return createAction({
    ...actionOptions(clerk, input),
    endpoint: redeemPoints,
    input,
    send: (asked, key) =>
      reportingBalanceChange(onBalanceChanged, call(redeemPoints, asked, { key, quiet: true })),
  })
}

/** Points for a coupon: the one way to buy it, wherever the clerk began. */
export function createPurchase(
  clerk: LoginInfo,
  input: PurchaseInput,
  onBalanceChanged?: () => void,
): Action<Purchased> {
  const { kind: _, ...order } = input
  return createAction({
    ...actionOptions(clerk, input),
    endpoint: issueCouponByPoints,
    input: order,
    send: (asked, key) =>
      reportingBalanceChange(
        onBalanceChanged,
        call(issueCouponByPoints, asked, { key, quiet: true }),
      ),
  })
}

/** The same input has the same name, in whatever order it was put together. */
export function requestName(input: SpendInput): string {
  return JSON.stringify(input, Object.keys(input).sort())
}

/** Passes an answer on, and tells when it is that the balance was another one by then. */
async function reportingBalanceChange<T>(
  tell: (() => void) | undefined,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'balanceChanged') tell?.()
    throw error
  }
}

/** How many points an answer says were spent. */
export function pointsSpent(answer: Redeemed | Purchased): number {
  return 'entry' in answer ? -answer.entry.points : answer.pointsSpent
}

/** What was asked for this member from this tab and never answered. */
export function unansweredSpends(clerk: LoginInfo, memberCode: string): SpendInput[] {
  const prefix = keyNamePrefix('spend', clerk, memberCode)
  return unansweredKeyNames(tabStorage, prefix).flatMap((name) => {
    const input = readInput(name.slice(prefix.length))
    return input === null ? [] : [input]
  })
}

// A coupon's preview names no balance, its purchase does.
const Expected = z.object({ expectedBalance: z.optional(z.int()) })

function readInput(text: string): SpendInput | null {
  try {
    const json: unknown = JSON.parse(text)
    const expected = z.parse(Expected, json)
    const { expectedBalance: _, ...order } = z.parse(z.record(z.string(), z.unknown()), json)
    return { ...z.parse(previewPoints.input, order), ...expected }
  } catch {
    return null
  }
}

/** Takes one spending back. */
export function createUndo(clerk: LoginInfo, input: Input<typeof cancelPoints>) {
  return createAction({
    endpoint: cancelPoints,
    input,
    keyName: keyNamePrefix('undo', clerk, input.memberCode) + JSON.stringify(input),
    send: (asked, key) => call(cancelPoints, asked, { key, quiet: true }),
    check: (key) => call(operationStatus, { key }, { quiet: true }),
    store: tabStorage,
  })
}
