import * as z from 'zod/mini'
import type { Statement } from './database.ts'
import { wholeCompany } from './reads/whole.ts'

/** One violation: the member, if it concerns one, and the figures that differ. */
const Violation = z.object({ member_id: z.nullable(z.string()), found: z.string() })
type Violation = z.infer<typeof Violation>

/** A rule that must hold within a company, and a query that returns no rows while it does. */
export type Invariant = Statement<Violation> & { rule: string }

/**
 * Declares an invariant. The query reports at most 100 rows.
 * @param rule its name, as `tillside doctor` prints it
 * @param query rows of `member_id` and `found` in company `$1`
 */
export function invariant(rule: string, query: string): Invariant {
  return { rule, ...wholeCompany(`select * from (${query}) violation limit 100`, Violation) }
}
