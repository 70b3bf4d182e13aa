import type { LoginInfo } from '@tillside/contract/auth'
import { unanswered } from './action.ts'
import { session } from '../call/session.ts'
import { tabShelf } from '../store/shelf.ts'

const kinds = ['redeem', 'redeem-many', 'coupon-undo', 'issue', 'spend', 'undo'] as const

/** What can be done with a member's value. */
export type ValueKind = (typeof kinds)[number]

// A key belongs to the clerk who sent it: nobody else could ask what became of it.
const ownKeys = (kind: ValueKind, { staff }: LoginInfo) =>
  `${session.keyOf(kind)}:${staff.account}:`

/** How the name begins under which the key of such a request is kept until it is answered. */
export const subjectOf = (kind: ValueKind, clerk: LoginInfo, memberCode: string) =>
  `${ownKeys(kind, clerk)}${memberCode}:`

/** Whose value this clerk asked for from this tab without an answer: a code for each request. */
export function membersAwaiting(clerk: LoginInfo): string[] {
  return kinds.flatMap((kind) => {
    const beginning = ownKeys(kind, clerk)
    return unanswered(tabShelf, beginning).map((name) => {
      const [memberCode = ''] = name.slice(beginning.length).split(':')
      return memberCode
    })
  })
}
