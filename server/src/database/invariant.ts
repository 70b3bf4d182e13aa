import * as z from 'zod/mini'
import type { Statement } from './database.ts'
import { wholeCompany } from './reads/whole.ts'

/** One violation: the member, if it concerns one, and the figures that differ. */
const Violation = z.object({ member_id: z.nullable(z.string()), found: z.string() })
export type Violation = z.infer<typeof Violation>

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

const Referring = z.object({
  place: z.array(z.string()),
  member_id: z.nullable(z.string()),
  names: z.array(z.string()),
  what: z.string(),
})
const Named = z.object({ name: z.string() })

/**
 * A rule about rows of two groups of tables. With the members of a company on several nodes no node
 * has both, so the program reads the names that one group refers to, page by page, and looks for
 * them in the other group.
 */
export type Comparison = {
  rule: string
  /** Reads the first `$3` rows after place `$2`, in the order of their places. */
  page: Statement<z.infer<typeof Referring>>
  /** A place before all rows. */
  start: readonly string[]
  /** The number of rows of a page. More cost more memory, and `find` runs less often. */
  pageSize: number
  /**
   * Each finds names of `$2`, which are those that the statements before it did not find. A value
   * that is calculated from a name, such as an id, comes from a materialized query. In a condition
   * it would keep PostgreSQL from using an index, because of row-level security.
   */
  find: readonly Statement<z.infer<typeof Named>>[]
  /** Whether each name must be found, or none. */
  must: 'exist' | 'not exist'
  /** Describes a violation by the row's `what` and the name. */
  describe: (what: string, name: string) => string
}

/** Declares a comparison. Its statements are queries of company `$1`. */
export function comparison({
  page,
  find,
  ...rest
}: Omit<Comparison, 'page' | 'find'> & { page: string; find: readonly string[] }): Comparison {
  return {
    ...rest,
    page: wholeCompany(page, Referring),
    find: find.map((query) => wholeCompany(query, Named)),
  }
}
