import * as z from 'zod/mini'
import { endpoint, nothing } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import { Day, Instant, MemberCode, Money } from './wire/shapes.ts'

export const TierStanding = z.object({
  code: z.string(),
  name: z.string(),
  level: z.int(),
  /** Qualifying spend in the current window. */
  gradeSpend: Money,
  startDate: Day,
  expiryDate: z.nullable(Day),
  /**
   * The last day of a period that has ended and that the job has not reviewed yet; tier and dates
   * are then as the review will decide them. Null: no review is pending.
   */
  endedOn: z.nullable(Day),
  nextTier: z.nullable(z.object({ code: z.string(), name: z.string(), threshold: Money })),
  /** Null on the top tier. */
  gapToNextTier: z.nullable(Money),
  /** Null when the tier never expires; `0.00` when already earned. */
  gapToRenew: z.nullable(Money),
})
export type TierStanding = z.infer<typeof TierStanding>

export const listTiers = endpoint({
  method: 'GET',
  path: '/connector/tier/list',
  access: ['homeMembertier'],
  needsKey: false,
  input: nothing,
  data: z.object({
    items: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        level: z.int(),
        threshold: Money,
        renewThreshold: Money,
        benefits: z.array(z.string()),
      }),
    ),
  }),
  refusals: [],
})

/** Explains the gap to the next tier by the qualifying spend, newest first. */
export const explainTier = endpoint({
  method: 'GET',
  path: '/connector/tier/explain',
  access: ['homeMembertier'],
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: z.object({
    standing: TierStanding,
    window: z.object({ from: Day, to: Day, kind: z.enum(['rolling12Months', 'calendarYear']) }),
    /** The newest hundred; `more` is the number of the others and `moreAmount` their sum. */
    spend: fact(
      'sales',
      z.array(z.object({ date: Day, invoiceNumber: z.nullable(z.string()), amount: Money })),
    ),
    more: fact('sales', z.int()),
    moreAmount: fact('sales', Money),
    /** The newest three changes of tier because a sale was returned, newest first. */
    reevaluated: z.array(
      z.object({
        at: Instant,
        /** The receipt of the return. */
        invoiceNumber: fact('sales', z.nullable(z.string())),
        /** Names of tiers. */
        from: z.string(),
        to: z.string(),
      }),
    ),
  }),
  refusals: ['memberUnknown'],
})
