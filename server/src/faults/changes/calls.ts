import { expect } from 'vitest'
import { takesOneRoundTrip } from '../../testing/factories/company.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { type Change, changes, inputOf } from './changes.ts'
import type { Answer, Desk, Member } from './desk.ts'

// Everything that one round trip can answer, of a clerk and of a till, in the form in which the
// fault tests send it.

/** A call that moves value. */
export type Call = {
  name: string
  /** Prepares a call of a member who has 5,000 points. @returns sends it, always the same */
  prepare: (desk: Desk, member: Member) => Promise<Send>
  /** In the answer to a success, the first time or later. */
  success: RegExp
  /** What a repeat gets, after this answer. */
  repeated: (answer: Answer) => object
  /** A part of a 503. */
  busy: string
  /** The status and a part of the answer where the long way fails, too. */
  fails: [status: number, text: string]
}
/**
 * @param key of a clerk's call; a receipt needs none
 * @param at another process
 */
type Send = (key: string, at?: Pick<Shop, 'app'>) => Promise<Answer>

/** A clerk's change as a call. */
export const ofClerk = (change: Change): Call => ({
  name: change.name,
  prepare: async (desk, member) => {
    const input = await inputOf(change, desk, member)
    return (key, at) => desk.send(change.endpoint, key, input, at)
  },
  success: /"code":0/,
  repeated: (answer) => answer,
  busy: '"unchanged":true',
  fails: [500, '"code":500'],
})

const ofTill = {
  success: /"(created|unchanged)":1/,
  repeated: () => ({ statusCode: 200, body: expect.stringContaining('"unchanged":1') }),
  // Of several receipts some may be recorded; a function has only one.
  busy: takesOneRoundTrip ? '"unchanged":true' : '"code":"unavailable"',
  fails: [200, '"reason":"internal"'],
} satisfies Partial<Call>

const sale: Call = {
  ...ofTill,
  name: 'a till’s sale',
  prepare: async (desk, { memberCode }) => {
    const input = receipt([['TEA', '12.50', 2]], { memberCode })
    return (_key, at) => desk.record(input, at)
  },
}
const goodsBack: Call = {
  ...ofTill,
  name: 'a till’s return',
  prepare: async (desk, { memberCode }) => {
    const sold = receipt([['TEA', '12.50', 2]], { memberCode })
    await desk.record(sold)
    const input = receipt([['TEA', '12.50', -1]], { memberCode, original: nameOf(sold) })
    return (_key, at) => desk.record(input, at)
  },
}

export const tillCalls = [sale, goodsBack]
export const calls: Call[] = [...Object.values(changes).map(ofClerk), ...tillCalls]
