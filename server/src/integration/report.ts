import type { readPointReport } from '@tillside/contract/integration'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { settingsOf } from '../company/settings.ts'
import type { KeyContext } from '../http/serve-key.ts'
import { rangeProblem, reportPoints } from '../points/books/report.ts'
import { HttpRefusal } from '../text/fail.ts'
import { invalidField } from '../text/invalid.ts'

// The ids of the companies whose report this process makes at the moment. An advisory lock would
// work only within one server, and a row's lock would hold up others.
const reporting = new Set<string>()

/**
 * The books of the company's points, for a key that is valid for every store.
 * @throws HttpRefusal 503 while this process makes another report of the company: each holds a
 *   connection of the requests for as long as it reads the company
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
  if (reporting.has(company.id)) throw new HttpRefusal('unavailable', true)
  reporting.add(company.id)
  try {
    return await database.reading(company.id, async (tx) =>
      reportPoints(tx, company.id, input, await settingsOf(tx, company)),
    )
  } finally {
    reporting.delete(company.id)
  }
}
