import * as z from 'zod/mini'
import { type Statement, statement } from './database.ts'

/** Who is wrong, where it is one member's, and in figures what is. */
const Violation = z.object({ member_id: z.nullable(z.string()), found: z.string() })
type Violation = z.infer<typeof Violation>

/** Something that must hold in one company, and the query that finds nothing when it does. */
export type Invariant = Statement<Violation> & { rule: string }

/**
 * Declares an invariant. At most a hundred rows are told: who has more has enough to look at.
 * @param rule its name on the engine's page, section 1
 * @param query rows of `member_id` and `found` in company `$1`
 */
export function invariant(rule: string, query: string): Invariant {
  return { rule, ...statement(`select * from (${query}) violation limit 100`, Violation) }
}
