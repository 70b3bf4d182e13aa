import {
  type Endpoint,
  type Envelope,
  type Input,
  idempotencyHeader,
} from '@tillside/contract/wire/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import type { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import type {
  Change,
  Context,
  Held,
  PublicContext,
  PublicVerb,
  ReadAhead,
  Verb,
} from '../database/context.ts'
import {
  claim,
  claimAtOnce,
  operationOf,
  insertOperation,
  storeAnswer,
} from '../database/operation.ts'
import type { Transaction } from '../database/database.ts'
import { inSingleTransaction } from '../database/single-transaction.ts'
import { actAs } from '../outbox/acting.ts'
import { answeredAgain, succeeded } from '../text/envelope.ts'
import { KeyRefusal, refuse } from '../text/fail.ts'
import { invalidField } from '../text/invalid.ts'
import {
  actingOf,
  answerRefusals,
  auditedRead,
  authorize,
  bearerToken,
  type Call,
  type Dependencies,
  headerOf,
  isPermitted,
  isLost,
  languageOf,
  noneKnown,
  refuseInvalid,
  type Route,
  type SessionMemory,
  staffContext,
  type Token,
  validInput,
} from './request.ts'
import { type MemberIn, readStandby, type Served } from './standby.ts'

type Options = {
  /**
   * The verb writes nothing: its transaction is read-only, without key. The audit rows that it
   * records are written a moment after the answer.
   */
  readOnly?: boolean
  /** The read-only verb uses `context.now`, so it cannot begin before the session is confirmed. */
  usesClock?: boolean
}

type OptionsWithRead<E extends Endpoint, Found> = Options & {
  /**
   * The verb's first query, when it needs only the company and the input. It is sent in the same
   * round trip as the session query; its result is discarded unless the session is valid.
   */
  readAhead: ReadAhead<E, Found>
  /**
   * The answer may be a second old, so a standby may give it (see `standby.ts`). Only for a
   * read-only verb about this member, and never where a decision depends on the answer.
   */
  standby?: MemberIn<Found>
}

/**
 * Serves an endpoint to signed-in staff. A change is one transaction in the caller's company:
 *
 * 1. Read the session, and refuse a caller who lacks the endpoint's permission.
 * 2. Refuse invalid input.
 * 3. If the endpoint needs a key, claim the Idempotency-Key; a repeat gets the stored answer.
 * 4. Run the verb.
 * 5. Store the answer under the key, and write the audit rows.
 *
 * A refusal rolls the transaction back. Unless it is one of `implicitFailures`, it is then stored
 * under the key in a transaction of its own. A read-only verb has no key, each
 * of its bursts is a transaction (docs/decisions/0022), and its audit rows are written after the
 * answer. The other three ways to serve: `servePublic` without a session, `serveInSteps` for
 * several transactions, and `serveKey` for API keys.
 */
export function serve<E extends Endpoint>(endpoint: E, verb: Verb<E>, options?: Options): Route
export function serve<E extends Endpoint, Found>(
  endpoint: E,
  verb: Verb<E, Found>,
  options: OptionsWithRead<E, Found>,
): Route
export function serve<E extends Endpoint, Found>(
  endpoint: E,
  verb: Verb<E, Found | undefined>,
  options: Options & Partial<OptionsWithRead<E, Found>> = {},
): Route {
  const served = { ...options, endpoint, verb }
  if (options.standby && !options.readOnly) throw new Error(`${endpoint.path} is not read-only`)
  return {
    endpoint,
    async answer(dependencies, call) {
      const copy = options.standby ? await readStandby(dependencies, served, call) : null
      if (copy !== null) return copy
      return options.readOnly
        ? answerRead(dependencies, served, call)
        : answerChange(dependencies, served, call)
    },
  }
}

const noPermissions: ReadonlySet<Permission> = new Set()

/** Serves an endpoint without a session; the verb opens its own transactions. */
export function servePublic<E extends Endpoint>(endpoint: E, verb: PublicVerb<E>): Route {
  return {
    endpoint,
    async answer({ database }, call) {
      const language = languageOf(call)
      const { requestId, address, device } = call
      const caller = { requestId, address, device }
      const context: PublicContext<E> = { database, language, ...caller, fail: refuse }
      return answerRefusals(language, async () => {
        const input = validInput(
          z.safeParse<E['input']>(endpoint.input, call.input),
          call,
          language,
        )
        return succeeded(endpoint, await verb(context, input), language, noPermissions)
      })
    },
  }
}

async function answerRead<E extends Endpoint, Found>(
  dependencies: Dependencies,
  served: Options & Served<E, Found>,
  call: Call,
): Promise<Envelope> {
  const { endpoint, verb, readAhead } = served
  const language = languageOf(call)
  const token = bearerToken(dependencies, call)
  const input = z.safeParse<E['input']>(endpoint.input, call.input)
  const { memory } = dependencies
  return answerRefusals(language, async () => {
    const held = input.success && !served.usesClock ? memory?.recall(token) : null
    const isPossible = held && input.success && isPermitted(endpoint.access, held.caller)
    // Beyond its limit a caller is refused before the verb reads anything.
    if (isPossible && memory && (await memory.admit?.()) !== false) {
      const request = { token, held, memory, input: input.data }
      const answer = await readAsHeld(dependencies, served, call, request)
      if (answer !== null) return answer
    }
    return dependencies.database.reading(token.companyId, async (tx) => {
      const authorizing = authorize(dependencies, tx, token, endpoint.access)
      if (!input.success) {
        await authorizing
        return refuseInvalid(input.error, call, language)
      }
      const finding = readAhead?.(tx, token.companyId, input.data, token.staffId, noneKnown)
      finding?.catch(() => {})
      const [caller, changes] = [await authorizing, new Array<Change>()]
      const context = staffContext<E>(caller, caller.now, tx, token, call, changes)
      const found = await finding
      const data = await auditedRead(
        () => verb(context, input.data, found),
        () => dependencies.audit.add(caller, call.requestId, changes),
      )
      return succeeded(endpoint, data, language, caller.permissions)
    })
  })
}

type HeldRequest<E extends Endpoint> = {
  token: Token
  held: Held
  memory: SessionMemory
  input: Input<E>
}

/**
 * Runs a read-only verb for the remembered holder of the session, in the same round trip as the
 * statement that confirms the holder.
 * @returns null when the holder is no longer the same, or the database has lost a member that the
 *   process remembers; the verb's result is then discarded
 */
async function readAsHeld<E extends Endpoint, Found>(
  { database, audit, members }: Dependencies,
  { endpoint, verb, readAhead }: Served<E, Found>,
  call: Call,
  { token, held, memory, input }: HeldRequest<E>,
): Promise<Envelope | null> {
  return database.reading(token.companyId, async (tx) => {
    const changes: Change[] = []
    const known = members?.(held.epoch) ?? noneKnown
    const reading = async () => {
      const found = await readAhead?.(tx, token.companyId, input, token.staffId, known)
      return verb(withoutClock<E>(held, tx, token, call, changes), input, found)
    }
    const [confirmed, read] = await Promise.allSettled([memory.confirm(tx, token, held), reading()])
    if (confirmed.status === 'rejected') throw confirmed.reason
    const caller = confirmed.value
    if (caller === null || caller.today !== held.caller.today || isLost(read, known)) return null
    const data = await auditedRead(
      async () => {
        if (read.status === 'rejected') throw read.reason
        return read.value
      },
      () => audit.add(caller, call.requestId, changes),
    )
    return succeeded(endpoint, data, languageOf(call), caller.permissions)
  })
}

/** The context of a verb that begins before the session is confirmed, so the time is not known. */
function withoutClock<E extends Endpoint>(
  { caller }: Held,
  ...rest: [Transaction, Token, Call, Change[]]
): Context<E> {
  const context = staffContext<E>(caller, '', ...rest)
  return Object.defineProperty(context, 'now', { get: noClock, enumerable: false })
}

function noClock(): never {
  throw new Error('a read-only verb that uses `context.now` needs `usesClock`')
}

async function answerChange<E extends Endpoint, Found>(
  dependencies: Dependencies,
  { endpoint, verb, readAhead }: Served<E, Found>,
  call: Call,
): Promise<Envelope> {
  const language = languageOf(call)
  const token = bearerToken(dependencies, call)
  const input = z.safeParse<E['input']>(endpoint.input, call.input)
  const key = headerOf(call, idempotencyHeader)
  const operation = input.success ? operationOf(endpoint, key, token, input.data) : null
  let permissions = noPermissions
  return answerRefusals(
    language,
    () =>
      inSingleTransaction(dependencies.database, token.companyId, async (tx) => {
        // The claim is sent in the same round trip as the session query and is rolled back unless
        // the session is valid. It is sent second, so that its failure never hides a 401.
        const authorizing = authorize(dependencies, tx, token, endpoint.access)
        const take = call.waits === false ? claimAtOnce : claim
        const claiming = operation && take(tx, operation)
        claiming?.catch(() => {})
        if (!input.success) {
          await authorizing
          return refuseInvalid(input.error, call, language)
        }
        const finding = readAhead?.(tx, token.companyId, input.data, token.staffId, noneKnown)
        finding?.catch(() => {})
        const caller = await authorizing
        ;({ permissions } = caller)
        if (endpoint.needsKey && operation === null) refuseKey(call, language)
        const stored = await claiming
        if (stored === 'reused') refuse('keyReused')
        if (stored === 'running') throw new KeyRefusal('keyRunning', 1)
        if (stored !== null) return answeredAgain(endpoint, stored, language, caller.permissions)
        const changes: Change[] = []
        const context = staffContext<E>(caller, caller.now, tx, token, call, changes)
        const found = await finding
        const data = await actAs(actingOf(caller), () => verb(context, input.data, found))
        const envelope = succeeded(endpoint, data, language, caller.permissions)
        if (operation !== null) {
          if (changes.length === 0) throw new Error(`${endpoint.path} changed without an audit`)
          storeAnswer(tx, operation, envelope)
        }
        for (const change of changes) writeAudit(tx, caller, call.requestId, change)
        return envelope
      }),
    async (refused) => {
      if (operation === null) return refused
      // Another request with this key may have been refused at the same time.
      const first = await dependencies.database.transaction(token.companyId, (tx) =>
        insertOperation(tx, operation, refused),
      )
      if (first === null || first === 'reused') return refused
      return answeredAgain(endpoint, first, language, permissions)
    },
  )
}

function refuseKey(call: Call, language: Language): never {
  const reason = headerOf(call, idempotencyHeader) === undefined ? 'required' : 'format'
  return refuse('invalid', invalidField('Idempotency-Key', reason, language))
}
