import type { LoginInfo } from '@tillside/contract/auth'
import type { Input } from '@tillside/contract/endpoint'
import { operationStatus } from '@tillside/contract/operation'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { createAction, unanswered } from '../kit/action.ts'
import { call } from '../kit/call.ts'
import { Refusal } from '../kit/failure.ts'
import { session } from '../kit/session.ts'

export type SpendInput = Input<typeof redeemPoints>

// A key belongs to the clerk who sent it: nobody else could ask what became of it.
const subject = (kind: 'spend' | 'undo', clerk: LoginInfo, memberCode: string) =>
  `${session.keyOf(kind)}:${clerk.staff.account}:${memberCode}:`

/**
 * One spending of points, from the question to the answer. Its whole input is part of its name:
 * the same key may only ever ask for the same thing.
 */
export function createSpend(clerk: LoginInfo, input: SpendInput, onBalanceChanged?: () => void) {
  return createAction({
    endpoint: redeemPoints,
    input,
    subject: subject('spend', clerk, input.memberCode) + JSON.stringify(input),
    send: async (asked, key) => {
      try {
        return await call(redeemPoints, asked, { key, quiet: true })
      } catch (error) {
        if (error instanceof Refusal && error.refusal === 'balanceChanged') onBalanceChanged?.()
        throw error
      }
    },
    check: (key) => call(operationStatus, { key }, { quiet: true }),
    store: sessionStorage,
  })
}

/** What was asked for this member from this tab and never answered. */
export function unansweredSpends(clerk: LoginInfo, memberCode: string): SpendInput[] {
  const beginning = subject('spend', clerk, memberCode)
  return unanswered(sessionStorage, beginning).flatMap((name) => {
    const input = readInput(name.slice(beginning.length))
    return input === null ? [] : [input]
  })
}

function readInput(text: string): SpendInput | null {
  try {
    const parsed = z.safeParse(redeemPoints.input, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Takes one spending back. */
export function createUndo(clerk: LoginInfo, input: Input<typeof cancelPoints>) {
  return createAction({
    endpoint: cancelPoints,
    input,
    subject: subject('undo', clerk, input.memberCode) + JSON.stringify(input),
    send: (asked, key) => call(cancelPoints, asked, { key, quiet: true }),
    check: (key) => call(operationStatus, { key }, { quiet: true }),
    store: sessionStorage,
  })
}
