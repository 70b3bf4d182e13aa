import { type Endpoint, Envelope, idempotencyHeader } from '@tillside/contract/wire/endpoint'
import type { Input } from '@tillside/contract/wire/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import type { Held, KnownMembers, ReadAhead } from '../../database/context.ts'
import {
  type Database,
  isUnavailable,
  sqlState,
  type Statement,
  statement,
  type Transaction,
} from '../../database/database.ts'
import { claimWithoutWait, type Operation, operationOf } from '../../database/operation.ts'
import { inOneRoundTrip, unavailable } from '../../database/single-transaction.ts'
import { type Acting, actAs } from '../../outbox/acting.ts'
import { answeredAgain } from '../../text/envelope.ts'
import { seesAll } from '../../text/withhold.ts'
import {
  actingOf,
  bearerToken,
  type Call,
  type Dependencies,
  headerOf,
  isPermitted,
  languageOf,
  noneKnown,
  type Route,
  type SessionMemory,
  type Token,
} from '../request.ts'

// A change in one round trip: PostgreSQL runs the whole call as one function and stores the answer
// with the key. Anything that the function does not handle leaves nothing behind, and the route
// itself answers (docs/decisions/0115-one-round-trip.md).

/** A request whose holder is probably known. */
export type Asked<E extends Endpoint> = Held & {
  token: Token
  operation: Operation
  input: Input<E>
  language: Language
  requestId: string
}

/** The row of a function's statement. No row: the holder has changed, or nothing matches. */
export const AtOnceRow = z.object({ answer: Envelope })

/** The parameters `$from`, … of a statement, so many. */
export function places(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `$${from + n}`)
}
/** The statement of a call in one round trip. */
export type Question<Row = z.infer<typeof AtOnceRow>> = {
  s: Statement<Row>
  values: readonly unknown[]
  /**
   * Runs before it in the same burst, so that it can wait for a lock: each statement sees what is
   * committed when it begins. The second one must fail wherever the first one found no holder.
   */
  first?: { s: Statement<unknown>; values: readonly unknown[] }
  /** Enqueues the events of the change. Called only in a company whose webhooks may get them. */
  enqueue: (tx: Transaction) => void
}

/**
 * The statement of a call about a member, who is found first; null: only the route can answer the
 * call.
 */
export type MemberQuestion<Row = z.infer<typeof AtOnceRow>> =
  | ((memberId: string) => Question<Row>)
  | null

/** How the input of a call names a member. */
export type NamedMember<E extends Endpoint> = {
  recall(input: Input<E>, known: KnownMembers): string | undefined
  find: ReadAhead<E, string | null>
}

/**
 * Answers a change with one statement, which calls a function of the database, and otherwise by its
 * route. A member whom the process does not remember is found in a round trip before.
 */
export function atOnceOr<E extends Endpoint>(
  endpoint: E,
  route: Route,
  named: NamedMember<E>,
  ask: (asked: Asked<E>) => MemberQuestion,
): Route {
  return {
    endpoint,
    async answer(dependencies, call) {
      const { atOnce, memory } = dependencies
      if (atOnce === undefined || memory === undefined) return route.answer(dependencies, call)
      const envelope = await answerAtOnce(dependencies, memory, { endpoint, named, ask }, call)
      atOnce.count(endpoint.path, envelope !== null)
      return envelope ?? route.answer(dependencies, call)
    },
  }
}

type Answered<E extends Endpoint> = {
  endpoint: E
  named: NamedMember<E>
  ask: (asked: Asked<E>) => MemberQuestion
}

async function answerAtOnce<E extends Endpoint>(
  dependencies: Dependencies,
  memory: SessionMemory,
  { endpoint, named, ask }: Answered<E>,
  call: Call,
): Promise<Envelope | null> {
  const token = bearerToken(dependencies, call)
  const held = memory.recall(token)
  if (held === null) return null
  if (!isPermitted(endpoint.access, held.caller)) return null
  const { permissions } = held.caller
  const input = z.safeParse<E['input']>(endpoint.input, call.input)
  if (!input.success || !seesAll(endpoint.data, permissions)) return null
  const key = headerOf(call, idempotencyHeader)
  const operation = operationOf(endpoint, key, token, input.data)
  if (operation === null) return null
  const language = languageOf(call)
  const { requestId } = call
  const question = ask({ ...held, token, operation, input: input.data, language, requestId })
  if (question === null || (await memory.admit?.()) === false) return null
  const { database, members } = dependencies
  const { companyId, staffId } = token
  const known = members?.(held.epoch) ?? noneKnown
  const about: About<z.infer<typeof AtOnceRow>> = {
    recalled: named.recall(input.data, known),
    find: (tx) => named.find(tx, companyId, input.data, staffId, known),
    question,
  }
  const by = actingOf(held.caller)
  const row = await sendAtOnce(database, endpoint.path, { companyId, by }, about, (tx) => {
    if (call.waits === false) claimWithoutWait(tx).catch(() => {})
  })
  return row && answeredAgain(endpoint, row.answer, language, permissions)
}

/** A question, and the member whom it is about. */
type About<Row> = {
  /** The id, where the process remembers it. */
  recalled: string | undefined
  find: (tx: Transaction) => Promise<string | null>
  question: (memberId: string) => Question<Row>
}

/**
 * Runs a question as one transaction in one round trip, after another one that finds the member
 * where the process does not remember the id.
 * @param path of the endpoint
 * @param by the account or the key of the events
 * @param prepare sends what has to run first
 * @returns null when the call has to take the long way; nothing has changed then
 */
export async function sendAtOnce<Row>(
  database: Database,
  path: string,
  { companyId, by }: { companyId: string; by: Acting },
  { recalled, find, question }: About<Row>,
  prepare: (tx: Transaction) => void = () => {},
): Promise<Row | null> {
  const call = `${companyId} ${path}`
  const hasEvents = mayHaveEvents(call)
  try {
    const memberId = recalled ?? (await database.reading(companyId, find))
    if (memberId === null) return null
    const { s, values, first, enqueue } = question(memberId)
    return await inOneRoundTrip(database, companyId, (tx) => {
      // The failure of an earlier statement also fails the last one.
      prepare(tx)
      if (hasEvents) tx.run(eventsFollow, []).catch(() => {})
      if (first !== undefined) tx.run(first.s, first.values).catch(() => {})
      if (hasEvents) actAs(by, () => enqueue(tx))
      return tx.maybe(s, values)
    })
  } catch (error) {
    if (sqlState(error) === hasSubscriber) subscribed.set(call, performance.now())
    // Whatever PostgreSQL refused has changed nothing.
    if (sqlState(error) !== null && !isUnavailable(error)) return null
    throw unavailable(error)
  }
}

// Raised by a function where a webhook subscribes to an event of the change. The route answers this
// call; later ones send the statements of their events, too, which costs other companies nothing.
const hasSubscriber = 'TS003'
const eventsFollow = statement(`set local app.events_follow = 'yes'`, z.unknown())
const subscribed = new Map<string, number>()
const rememberedMs = 600_000

function mayHaveEvents(call: string): boolean {
  const since = subscribed.get(call)
  return since !== undefined && performance.now() - since < rememberedMs
}

const requireClaim = statement('select require_claim($1)', z.unknown())

/**
 * Fails the transaction unless it has claimed the key of the request. An event about rows that were
 * there before needs this, because a function is not called where the holder has changed.
 */
export function enqueueIfClaimed(tx: Transaction, { key }: Operation, enqueue: () => void): void {
  tx.atCommit(requireClaim, [key])
  enqueue()
}
