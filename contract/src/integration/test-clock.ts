import * as z from 'zod/mini'
import { CalendarDay, Instant } from '../wire/shapes.ts'
import { integrationEndpoint } from './endpoint.ts'

/** How far a test clock may be ahead of the real time, in days. */
export const maxDaysAhead = 3660

export const advanceTestClock = integrationEndpoint({
  method: 'POST',
  path: '/test/clock',
  scope: 'test:clock',
  tag: 'Test mode',
  summary: 'Move the test clock forward',
  description:
    'Sets the time of the practice company, then expires points and coupons and reviews tiers as ' +
    'on that day. Only for test keys. The clock never goes back by this call: a time that has ' +
    'passed changes nothing. The nightly reset of the practice data sets it to the present.',
  input: z.strictObject({
    /** At most ten years from now. */
    advanceTo: Instant,
  }),
  data: z.object({
    /** The time of the practice company after the call. */
    now: z.string(),
    /** Its day, in the time zone of the company. */
    today: CalendarDay,
  }),
  refusals: [],
})
