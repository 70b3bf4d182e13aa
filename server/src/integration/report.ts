import type { readPointReport } from '@tillside/contract/integration/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { settingsOf } from '../company/settings.ts'
import type { KeyContext } from '../http/keys/serve-key.ts'
import { rangeProblem, reportPoints } from '../points/books/report.ts'
import { inTurn } from '../points/books/turn.ts'
import { HttpRefusal } from '../text/fail.ts'
import { invalidField } from '../text/invalid.ts'

/**
 * The books of the company's points, for a key that is valid for every store.
 * @throws HttpRefusal 503 while another report of the company is made: each holds a connection of
 *   the requests for as long as it reads the company
 */
export async function reportToKey(
  context: KeyContext<typeof readPointReport>,
  input: Input<typeof readPointReport>,
): Promise<Data<typeof readPointReport>> {
  const { database, company, key, today, language } = context
  if (key.stores !== null) return context.fail('noPermission')
  const problem = rangeProblem(input, today)
  if (problem !== null) {
    return context.fail('invalid', invalidField(problem.path, problem.reason, language))
  }
  const report = await inTurn(database, company.id, () =>
    database.reading(company.id, async (tx) =>
      reportPoints(tx, company.id, input, await settingsOf(tx, company)),
    ),
  )
  if (report === null) throw new HttpRefusal('unavailable', true)
  return report
}
