import * as fc from 'fast-check'
import { adjustmentTypes } from '../../points/adjust.ts'

// Random steps. A step refers to sales and spendings by number; the number is resolved when the
// step runs.

const kind = <K extends string>(name: K) => fc.constant(name)
const which = fc.nat(20)
const share = fc.constantFrom(1, 10, 33, 50, 67, 90, 100, 101)
const store = fc.constantFrom('S1', 'S2')
// fast-check prefers the ends of a range; most spends are in the middle.
const cents = fc.oneof(
  { weight: 3, arbitrary: fc.noBias(fc.integer({ min: 2_000, max: 40_000 })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
)
const line = fc.record({ sku: fc.constantFrom('A', 'B', 'C'), cents })
const goods = fc.array(line, { minLength: 1, maxLength: 3 })
// Around the smallest and the largest exchange of both companies.
const bounds = fc.constantFrom('0', '1', '10', '20', '30', '390', '400', '410', '1000', '1001')
const quantity = fc.integer({ min: 1, max: 2 })

const act = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: kind('sale'), goods, store, late: fc.nat(4) }) },
  // A return: one item of a sale, a part of every item, or an amount.
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('return'),
      of: which,
      how: fc.constantFrom('line', 'lines', 'whole'),
      line: fc.nat(2),
      share,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('swap'), of: which, share, line, store }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('loose'), cents }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('kept'),
      goods,
      status: fc.constantFrom('deposit', 'cancelled'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: kind('gift'), id: fc.constantFrom('G1', 'G2'), quantity }),
  },
  // An exchange: a share of the available points, or any number.
  {
    weight: 7,
    arbitrary: fc.record({
      kind: kind('pay'),
      points: fc.oneof(share, bounds, fc.integer({ min: -10, max: 1100 }).map(String)),
      sale: cents,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: kind('coupons'), id: fc.constantFrom('K1', 'K2'), quantity }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('use'), of: which, coupon: fc.nat(1) }) },
  { weight: 7, arbitrary: fc.record({ kind: kind('cancel'), of: which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('adjust'),
      type: fc.constantFrom(...adjustmentTypes),
      points: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('expire') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('review') }) },
)

export const step = fc.record({
  company: fc.nat(1),
  // The first member is used most often.
  member: fc.constantFrom(0, 0, 0, 1, 1, 2),
  wait: fc.oneof(
    { weight: 8, arbitrary: fc.nat(2) },
    { weight: 1, arbitrary: fc.integer({ min: 3, max: 40 }) },
    // To the next of the dates on which errors are likely, to the next expiry of the member's
    // points or tier, or to the day after it.
    { weight: 3, arbitrary: fc.constantFrom('special', 'end', 'afterEnd') },
  ),
  minute: which,
  /** Whether the request is sent twice, as after a lost answer. */
  twice: fc.boolean(),
  act,
})

export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
