import type { operationStatus } from '@tillside/contract/wire/operation'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { Context } from '../database/context.ts'
import { isRunning, readAnswer } from '../database/operation.ts'

/** The state of a request whose answer was lost: done with its answer, running, or unknown. */
export async function readOperation(
  context: Context<typeof operationStatus>,
  { key }: Input<typeof operationStatus>,
): Promise<Data<typeof operationStatus>> {
  const { tx, company, staff } = context
  const named = { companyId: company.id, staffId: staff.id, key: key.toLowerCase() }
  const done = await readAnswer(tx, named)
  if (done !== null) return { state: 'done', answer: done.answer }
  if (await isRunning(tx, named)) return { state: 'running', answer: null }
  const meanwhile = await readAnswer(tx, named)
  return meanwhile === null
    ? { state: 'unknown', answer: null }
    : { state: 'done', answer: meanwhile.answer }
}
