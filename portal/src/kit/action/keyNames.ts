import type { LoginInfo } from '@tillside/contract/auth'
import { unansweredKeyNames } from './action.ts'
import { session } from '../call/session.ts'
import { tabStorage } from '../store/storage.ts'

const kinds = ['redeem', 'redeem-many', 'coupon-undo', 'issue', 'spend', 'undo'] as const

/** The requests that move a member's value. */
export type ValueKind = (typeof kinds)[number]

// The clerk is part of the name, because the server answers only the clerk who sent the key.
const clerkKeyPrefix = (kind: ValueKind, { staff }: LoginInfo) =>
  `${session.keyOf(kind)}:${staff.account}:`

/** The first part of the names under which keys of this kind are stored for a member. */
export const keyNamePrefix = (kind: ValueKind, clerk: LoginInfo, memberCode: string) =>
  `${clerkKeyPrefix(kind, clerk)}${memberCode}:`

/** The member codes of all unanswered requests of this clerk in this tab, one for each request. */
export function membersWithUnanswered(clerk: LoginInfo): string[] {
  return kinds.flatMap((kind) => {
    const beginning = clerkKeyPrefix(kind, clerk)
    return unansweredKeyNames(tabStorage, beginning).map((name) => {
      const [memberCode = ''] = name.slice(beginning.length).split(':')
      return memberCode
    })
  })
}
