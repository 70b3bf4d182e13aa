import * as z from 'zod/mini'
import { groupOf } from '../../cluster/placement.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { statement } from '../../database/database.ts'

// PostgreSQL keeps the locks of a transaction until its end, so they tell which parts its
// statements touched. It does not lock a part that a plan leaves out.
const readLocks = statement(
  `select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
   where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relispartition
     and c.relkind = 'r'`,
  z.object({ name: z.string() }),
)

/** The parts that were touched, as `group part`, such as `member_id 3`. */
export type Touched = Set<string>

/** After a statement that failed, PostgreSQL refuses the look as well. @throws why a look failed */
async function lookAfter(sent: Promise<unknown>, looking: Promise<void>): Promise<void> {
  const [before, looked] = await Promise.allSettled([sent, looking])
  if (before.status === 'fulfilled' && looked.status === 'rejected') throw looked.reason
}

/** Records which parts the transactions of a database touch; a test may empty `touched`. */
export function watchParts(database: Database): { database: Database; touched: Touched } {
  const touched: Touched = new Set()
  async function look(tx: Transaction): Promise<void> {
    for (const { name } of await tx.all(readLocks, [])) {
      const [, table = '', part] = /^(.*)_(\d+)$/.exec(name) ?? []
      touched.add(`${groupOf(table)} ${part}`)
    }
  }
  /** Work that looks at the locks after each burst, and before the commit. */
  const watched =
    <T>(work: (tx: Transaction) => Promise<T>) =>
    async (tx: Transaction): Promise<T> => {
      const closing: Promise<unknown>[] = []
      const after = <R>(sent: Promise<R>): Promise<R> => {
        closing.push(lookAfter(sent, look(tx)))
        return sent
      }
      const result = await work({
        all: (s, values) => after(tx.all(s, values)),
        maybe: (s, values) => after(tx.maybe(s, values)),
        one: (s, values) => after(tx.one(s, values)),
        run: (s, values) => after(tx.run(s, values)),
        atCommit: (s, values) => void closing.push(after(tx.run(s, values))),
      })
      await Promise.all(closing)
      return result
    }
  return {
    touched,
    database: {
      ...database,
      transaction: (companyId, work) => database.transaction(companyId, watched(work)),
      reading: (companyId, work) => database.reading(companyId, watched(work)),
      withoutCompany: (work) => database.withoutCompany(watched(work)),
    },
  }
}
