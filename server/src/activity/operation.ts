import { Envelope, type Data, type Input } from '@tillside/contract/wire/endpoint'
import type { operationStatus } from '@tillside/contract/wire/operation'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { sqlState, statement } from '../database/database.ts'

const readAnswer = statement(
  'select answer from operation where company_id = $1 and staff_id = $2 and key = $3',
  z.object({ answer: z.nullable(Envelope) }),
)
const savepoint = statement('savepoint probe', z.unknown())
const backToSavepoint = statement('rollback to savepoint probe', z.unknown())
const hurry = statement(`set local lock_timeout = '20ms'`, z.unknown())
const probe = statement(
  `insert into operation (company_id, staff_id, key, endpoint, body_hash)
   values ($1, $2, $3, 'probe', '') on conflict do nothing`,
  z.unknown(),
)

/** What became of a request whose answer was lost. */
export async function readOperation(
  context: Context<typeof operationStatus>,
  { key }: Input<typeof operationStatus>,
): Promise<Data<typeof operationStatus>> {
  const known = [context.company.id, context.staff.id, key.toLowerCase()]
  const done = await context.tx.maybe(readAnswer, known)
  if (done !== null) return { state: 'done', answer: done.answer }
  if (await isRunning(context, known)) return { state: 'running', answer: null }
  const meanwhile = await context.tx.maybe(readAnswer, known)
  return meanwhile === null
    ? { state: 'unknown', answer: null }
    : { state: 'done', answer: meanwhile.answer }
}

/**
 * A running request holds its key in a transaction that nobody sees yet. Taking the key, for a
 * moment and always giving it back, shows it: whoever has to wait has met the other one.
 */
async function isRunning(
  { tx }: Context<typeof operationStatus>,
  known: readonly unknown[],
): Promise<boolean> {
  await tx.run(savepoint, [])
  await tx.run(hurry, [])
  try {
    await tx.run(probe, known)
    return false
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error
    return true
  } finally {
    await tx.run(backToSavepoint, [])
  }
}
