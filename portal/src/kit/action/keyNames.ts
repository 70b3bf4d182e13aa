import type { LoginInfo } from '@tillside/contract/auth'
import { unansweredKeyNames } from './action.ts'
import { session } from '../call/session.ts'
import { tabStorage } from '../store/storage.ts'

const kinds = ['redeem', 'redeem-many', 'coupon-undo', 'issue', 'spend', 'undo'] as const

/** What can be done with a member's value. */
export type ValueKind = (typeof kinds)[number]

// A key belongs to the clerk who sent it: nobody else could ask what became of it.
const clerkKeyPrefix = (kind: ValueKind, { staff }: LoginInfo) =>
  `${session.keyOf(kind)}:${staff.account}:`

/** How the name begins under which the key of such a request is kept until it is answered. */
export const keyNamePrefix = (kind: ValueKind, clerk: LoginInfo, memberCode: string) =>
  `${clerkKeyPrefix(kind, clerk)}${memberCode}:`

/** Whose value this clerk asked for from this tab without an answer: a code for each request. */
export function membersWithUnanswered(clerk: LoginInfo): string[] {
  return kinds.flatMap((kind) => {
    const beginning = clerkKeyPrefix(kind, clerk)
    return unansweredKeyNames(tabStorage, beginning).map((name) => {
      const [memberCode = ''] = name.slice(beginning.length).split(':')
      return memberCode
    })
  })
}
