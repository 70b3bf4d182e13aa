import * as z from 'zod/mini'
import { GivenKind } from './failures.ts'

/**
 * How much of one kind this clerk has given away today, and the amount beyond which the company
 * refuses.
 */
export const Allowance = z.object({ kind: GivenKind, used: z.int(), limit: z.int() })
export type Allowance = z.infer<typeof Allowance>

/**
 * The part of every answer to a call that gives value away. It is absent until the clerk has
 * reached the amount at which the company is alerted.
 */
export const givingAnswer = { allowance: z.optional(Allowance) }
