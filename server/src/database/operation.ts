import { hash as digest } from 'node:crypto'
import { type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { OperationKey } from '@tillside/contract/wire/operation'
import * as z from 'zod/mini'
import { lockTimeoutMs } from './connection/session-settings.ts'
import { isLockTimeout, statement, type Transaction } from './database.ts'
import { dropSome, type Old } from './reads/each.ts'
import { wholeCompany } from './reads/whole.ts'

/**
 * One value-moving request, identified by staff member and idempotency key, with a hash of its
 * body.
 */
export type Operation = {
  companyId: string
  staffId: string
  key: string
  endpoint: string
  bodyHash: Buffer
}

const Claim = z.object({
  endpoint: z.string(),
  body_hash: z.instanceof(Buffer),
  answer: z.nullable(Envelope),
})
const insertClaim = statement(
  `insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
  z.unknown(),
)
const readClaim = statement(
  `select endpoint, body_hash, answer from operation
   where company_id = $1 and staff_id = $2 and key = $3`,
  Claim,
)
const writeAnswer = statement(
  'update operation set answer = $4 where company_id = $1 and staff_id = $2 and key = $3',
  z.unknown(),
)
const findAbout = wholeCompany(
  `select staff_id, key from operation
   where company_id = $1 and answer #>> '{data,memberCode}' = $2`,
  z.object({ staff_id: z.string(), key: z.string() }),
)
const old: Old = {
  find: wholeCompany(
    `select staff_id, key from operation
     where company_id = $1 and created_at < now() - interval '48 hours' limit $2`,
    z.object({ staff_id: z.string(), key: z.string() }),
  ),
  drop: statement(
    'delete from operation where company_id = $1 and staff_id = $2 and key = $3',
    z.unknown(),
  ),
}
const readStored = statement(
  `select endpoint, answer from operation
   where company_id = $1 and staff_id = $2 and key = $3`,
  z.object({ endpoint: z.string(), answer: z.nullable(Envelope) }),
)
const savepoint = statement('savepoint probe', z.unknown())
const backToSavepoint = statement('rollback to savepoint probe', z.unknown())
const shortTimeout = statement(`set local lock_timeout = '20ms'`, z.unknown())
const withoutWait = statement(`set local app.claim_waits = 'off'`, z.unknown())
// Not `default`: behind pgbouncer that is the server's, which is none.
const usualTimeout = statement(`set local lock_timeout = '${lockTimeoutMs}'`, z.unknown())
const probe = statement(
  `insert into operation (company_id, staff_id, key, endpoint, body_hash)
   values ($1, $2, $3, 'probe', '') on conflict do nothing`,
  z.unknown(),
)

/**
 * Returns the operation that an `Idempotency-Key` header names. Null when the endpoint takes none
 * or the header is invalid.
 */
export function operationOf(
  endpoint: Endpoint,
  header: string | undefined,
  { companyId, staffId }: Pick<Operation, 'companyId' | 'staffId'>,
  body: unknown,
): Operation | null {
  const key = OperationKey.safeParse(header)
  if (!endpoint.needsKey || !key.success) return null
  const { path } = endpoint
  return {
    companyId,
    staffId,
    key: key.data.toLowerCase(),
    endpoint: path,
    bodyHash: hashBody(body),
  }
}

/** Hashes a parsed body. The schema fixes the order of its properties. */
export function hashBody(body: unknown): Buffer {
  return digest('sha256', JSON.stringify(body), 'buffer')
}

/**
 * Claims the idempotency key in this transaction. A concurrent request with the same key waits here
 * until the first one ends.
 * @returns null when this request is the first; otherwise the first request's answer, or `reused`
 *   when the key belongs to a different request
 */
export async function claim(tx: Transaction, op: Operation): Promise<Envelope | 'reused' | null> {
  return insertOperation(tx, op, null)
}

/**
 * The same for a caller that does not wait: a concurrent request holds the key's row.
 * @returns also `running` while the first request runs; the transaction is then aborted
 */
export async function claimAtOnce(
  tx: Transaction,
  op: Operation,
): Promise<Envelope | 'reused' | 'running' | null> {
  const [, claimed] = await Promise.allSettled([
    tx.run(shortTimeout, []),
    claim(tx, op),
    tx.run(usualTimeout, []),
  ])
  if (claimed.status === 'fulfilled') return claimed.value
  if (isLockTimeout(claimed.reason)) return 'running'
  throw claimed.reason
}

/**
 * The same for a function of the database that claims a key (`claim_key` of migration 0073): it
 * raises TS002 while the first request runs.
 */
export async function claimWithoutWait(tx: Transaction): Promise<void> {
  await tx.run(withoutWait, [])
}

/**
 * Inserts the operation, unless its key exists already.
 * @param answer the refusal of a request whose transaction was rolled back; null: a claim, whose
 *   answer is stored by `storeAnswer`
 * @returns what `claim` returns
 */
export async function insertOperation(
  tx: Transaction,
  op: Operation,
  answer: Envelope | null,
): Promise<Envelope | 'reused' | null> {
  if ((await tx.run(insertClaim, valuesOf(op, answer))) === 1) return null
  return answerOf(await tx.one(readClaim, [op.companyId, op.staffId, op.key]), op)
}

function valuesOf(op: Operation, answer: Envelope | null): unknown[] {
  return [op.companyId, op.staffId, op.key, op.endpoint, op.bodyHash, answer]
}

function answerOf(first: z.infer<typeof Claim>, op: Operation): Envelope | 'reused' {
  if (first.endpoint !== op.endpoint || !first.body_hash.equals(op.bodyHash)) return 'reused'
  if (first.answer === null) throw new Error('an operation was committed without its answer')
  return first.answer
}

/** Stores the answer with the claim, in the transaction of the effect. */
export function storeAnswer(tx: Transaction, op: Operation, answer: Envelope): void {
  tx.atCommit(writeAnswer, [op.companyId, op.staffId, op.key, answer])
}

/**
 * Deletes operations older than 48 hours; clients no longer ask for them.
 * @param limit the maximum number to delete
 * @returns the number deleted
 */
export async function forgetOperations(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  return dropSome(tx, old, companyId, limit)
}

/**
 * Replaces the stored answers that contain a member by "unknown member". A repeated request gets
 * that answer and changes nothing.
 */
export async function forgetAnswersAbout(
  tx: Transaction,
  companyId: string,
  memberCode: string,
): Promise<void> {
  const unknownMember: Envelope = { code: failures.memberUnknown.code, message: '', data: null }
  const rows = await tx.all(findAbout, [companyId, memberCode])
  await Promise.all(
    rows.map(({ staff_id: id, key }) => tx.run(writeAnswer, [companyId, id, key, unknownMember])),
  )
}

type Named = Pick<Operation, 'companyId' | 'staffId' | 'key'>

/**
 * The stored answer of an operation, and the path of its endpoint; null when none with this key is
 * committed.
 */
export async function readAnswer(
  tx: Transaction,
  { companyId, staffId, key }: Named,
): Promise<{ endpoint: string; answer: Envelope | null } | null> {
  return tx.maybe(readStored, [companyId, staffId, key])
}

/**
 * Whether a request with this key is running now. Its claim is in a transaction that is not
 * committed, so a second claim of the same key must wait for a lock. This one waits 20 ms at most
 * and is always rolled back.
 */
export async function isRunning(
  tx: Transaction,
  { companyId, staffId, key }: Named,
): Promise<boolean> {
  await tx.run(savepoint, [])
  await tx.run(shortTimeout, [])
  try {
    await tx.run(probe, [companyId, staffId, key])
    return false
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return true
  } finally {
    await tx.run(backToSavepoint, [])
  }
}
