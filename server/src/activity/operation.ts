import { endpoints } from '@tillside/contract/endpoints'
import type { operationStatus } from '@tillside/contract/wire/operation'
import type { Data, Endpoint, Input } from '@tillside/contract/wire/endpoint'
import type { Context } from '../database/context.ts'
import { isRunning, readAnswer } from '../database/operation.ts'
import { answeredAgain } from '../text/envelope.ts'

type Status = Context<typeof operationStatus>

const endpointOf = new Map(Object.values<Endpoint>(endpoints).map((one) => [one.path, one]))

/** The state of a request whose answer was lost: done with its answer, running, or unknown. */
export async function readOperation(
  context: Status,
  { key }: Input<typeof operationStatus>,
): Promise<Data<typeof operationStatus>> {
  const { tx, company, staff } = context
  const named = { companyId: company.id, staffId: staff.id, key: key.toLowerCase() }
  const done = await readAnswer(tx, named)
  if (done !== null) return { state: 'done', answer: permittedAnswer(done, context) }
  if (await isRunning(tx, named)) return { state: 'running', answer: null }
  const meanwhile = await readAnswer(tx, named)
  return meanwhile === null
    ? { state: 'unknown', answer: null }
    : { state: 'done', answer: permittedAnswer(meanwhile, context) }
}

/** The stored answer without the facts that the clerk may not see any more. */
function permittedAnswer(
  { endpoint: path, answer }: NonNullable<Awaited<ReturnType<typeof readAnswer>>>,
  { language, permissions }: Pick<Status, 'language' | 'permissions'>,
) {
  const endpoint = endpointOf.get(path)
  if (answer === null || endpoint === undefined) return null
  return answeredAgain(endpoint, answer, language, permissions)
}
