import * as z from 'zod/mini'
import { type Database, statement } from '../../database/database.ts'
import { newId } from '../../values/id.ts'

// A process that was killed leaves its row. The statement of a report ends after five minutes.
const takeTurn = statement(
  `insert into point_report (company_id, report_id, begun_at) values ($1, $2, now())
   on conflict (company_id) do update set report_id = $2, begun_at = excluded.begun_at
     where seconds_after(point_report.begun_at, 360) < excluded.begun_at
   returning report_id`,
  z.object({ report_id: z.string() }),
)
const endTurn = statement(
  'delete from point_report where company_id = $1 and report_id = $2',
  z.unknown(),
)

/**
 * Runs `work` unless another report of the company is being made, in any process.
 * @returns the result, or null if there is another report
 */
export async function inTurn<T>(
  database: Database,
  companyId: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const id = newId()
  const turn = await database.transaction(companyId, (tx) => tx.maybe(takeTurn, [companyId, id]))
  if (turn === null) return null
  try {
    return await work()
  } finally {
    // If the database is gone, the turn ends by itself. The error of `work` says more.
    await database
      .transaction(companyId, (tx) => tx.run(endTurn, [companyId, id]))
      .catch(() => null)
  }
}
