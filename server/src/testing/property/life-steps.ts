import * as fc from 'fast-check'

// The random steps of a life of two members: they are merged on some day, and perhaps parted later.

const share = fc.constantFrom(1, 10, 33, 50, 90, 100)
const of = fc.nat(20)
/** While they are merged, the survivor, member 0, does everything. */
const who = fc.constantFrom(0, 0, 1)
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      who,
      units: fc.integer({ min: 1, max: 2_000 }),
      /** The share of the points that pay, in percent. */
      pay: fc.constantFrom(0, 0, 30, 100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('grant' as const), who, points: fc.nat(300) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('spend' as const), who, share }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), of }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('return' as const), of, share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
)
const wait = fc.constantFrom(0, 0, 1, 3, 10, 32, 70)

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
export type LifeStep = { wait: number; act: Act | { kind: 'merge' | 'unmerge' } }

const stepAfter = (days: typeof wait): fc.Arbitrary<LifeStep> => fc.record({ wait: days, act })
const step = stepAfter(wait)
const only = (kind: 'merge' | 'unmerge', days = wait): fc.Arbitrary<LifeStep> =>
  fc.record({ wait: days, act: fc.constant({ kind }) })

// A merge can be undone for 30 days, unless points of both were used together since.
const soon = fc.constantFrom(0, 0, 1, 3)
const parted = fc
  .tuple(
    fc.array(stepAfter(soon), { maxLength: 4 }),
    only('unmerge', soon),
    fc.array(step, { maxLength: 8 }),
  )
  .map(([merged, unmerge, after]): LifeStep[] => merged.concat(unmerge, after))

/** Steps with a merge among them and, in half of them, an unmerge. */
export const lifeSteps: fc.Arbitrary<LifeStep[]> = fc
  .tuple(
    fc.array(step, { minLength: 3, maxLength: 20 }),
    only('merge'),
    fc.oneof(parted, fc.array(step, { minLength: 1, maxLength: 12 })),
  )
  .map(([before, merge, after]) => before.concat(merge, after))
