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

/**
 * A request to spend points, for a reward, a coupon or a sale, with the balance that it expects.
 */
export type SpendInput = Input<typeof previewPoints> & { expectedBalance?: number | undefined }

/** A reward, or points against a sale. */
export type RedeemInput = Exclude<SpendInput, { kind: 'coupon' }>
export type Redeemed = Data<typeof redeemPoints>

/** A coupon for points. */
export type PurchaseInput = Extract<SpendInput, { kind: 'coupon' }>
export type IssuedByPoints = Data<typeof issueCouponByPoints>

/**
 * The action that spends points. Its whole input is part of the key's name, because the same key
 * must never be sent with another input.
 */
export function createSpend(
  clerk: LoginInfo,
  input: SpendInput,
): Action<Redeemed | IssuedByPoints> {
  return input.kind === 'coupon'
    ? createIssueByPoints(clerk, input)
    : createRedemption(clerk, input)
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

/** Points for a coupon, on whichever page the clerk started. */
export function createIssueByPoints(
  clerk: LoginInfo,
  input: PurchaseInput,
  onBalanceChanged?: () => void,
): Action<IssuedByPoints> {
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

/** The name of a request: the same for the same input, in any order of its properties. */
export function requestName(input: SpendInput): string {
  return JSON.stringify(input, Object.keys(input).sort())
}

/** Passes an answer on, and calls `onBalanceChanged` if it says that the balance had changed. */
async function reportingBalanceChange<T>(
  onBalanceChanged: (() => void) | undefined,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'balanceChanged') onBalanceChanged?.()
    throw error
  }
}

/** The number of points that were spent, according to the answer. */
export function pointsSpent(answer: Redeemed | IssuedByPoints): number {
  return 'entry' in answer ? -answer.entry.points : answer.pointsSpent
}

/** The unanswered spendings of this tab for a member. */
export function unansweredSpends(clerk: LoginInfo, memberCode: string): SpendInput[] {
  const prefix = keyNamePrefix('spend', clerk, memberCode)
  return unansweredKeyNames(tabStorage, prefix).flatMap((name) => {
    const input = readInput(name.slice(prefix.length))
    return input === null ? [] : [input]
  })
}

// The preview of a coupon for points has no expected balance, but issuing it has.
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

/** The action that undoes a spending. */
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
