import * as z from 'zod/mini'
import { type Statement, statement } from './database.ts'

/** Who is wrong, where it is one member's, and in figures what is. */
export const Violation = z.object({ member_id: z.nullable(z.string()), found: z.string() })
export type Violation = z.infer<typeof Violation>

/** Something that must hold in one company, and the query that finds nothing when it does. */
export type Invariant = Statement<Violation>

/**
 * Declares an invariant. At most a hundred rows are told: who has more has enough to look at.
 * @param query rows of `member_id` and `found` in company `$1`
 */
export function invariant(query: string): Invariant {
  return statement(`select * from (${query}) violation limit 100`, Violation)
}
