import * as z from 'zod/mini'
import { endpoint, nothing } from './endpoint.ts'
import { Day, Money } from './shapes.ts'

export const TierStanding = z.object({
  code: z.string(),
  name: z.string(),
  level: z.int(),
  /** Qualifying spend in the current window. */
  gradeSpend: Money,
  startDate: Day,
  expiryDate: z.nullable(Day),
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
  idempotent: false,
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
