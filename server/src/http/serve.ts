import {
  type Access,
  type Endpoint,
  Envelope,
  idempotencyHeader,
} from '@tillside/contract/wire/endpoint'
import type { FailureName } from '@tillside/contract/wire/failures'
import { defaultLanguage, Language, languageHeader } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import type {
  Ahead,
  AheadVerb,
  Caller,
  Change,
  Context,
  PublicContext,
  PublicVerb,
  Verb,
} from '../database/context.ts'
import type { Database, Transaction } from '../database/database.ts'
import { HttpRefusal, Refusal, refuse } from '../text/fail.ts'
import { failed, succeeded } from '../text/envelope.ts'
import { invalidField, invalidFields } from '../text/invalid.ts'
import type { Replica } from '../database/replica.ts'
import { storeAnswer, claim, type Operation, operationOf, record } from '../database/operation.ts'
import { inSingleTransaction } from '../database/single-transaction.ts'

/** A request as the web framework hands it on. */
export type Call = {
  headers: Record<string, string | string[] | undefined>
  input: unknown
  address: string
  requestId: string
}

/**
 * A bearer token, split: its first part says where to look, the hash of the whole is what is looked
 * for.
 */
export type Token = { companyId: string; staffId: string; hash: Buffer }

export type Doors = {
  database: Database
  /** A standby that looks may come from. */
  replica?: Replica | undefined
  readToken(authorization: string | undefined): Token | null
  /**
   * Who holds the token now; null when it is unknown, ended or expired, or its holder may not work
   * any more.
   */
  authenticate(tx: Transaction, token: Token): Promise<Caller | null>
}

/** One endpoint with the verb behind it, ready for the web framework. */
export type Route = { endpoint: Endpoint; answer(doors: Doors, call: Call): Promise<Envelope> }

/** Opens an endpoint without a token; its verb makes its own transactions. */
export function servePublic<E extends Endpoint>(endpoint: E, verb: PublicVerb<E>): Route {
  return {
    endpoint,
    async answer(doors, call) {
      const language = languageOf(call)
      const context: PublicContext<E> = {
        database: doors.database,
        language,
        requestId: call.requestId,
        address: call.address,
        fail: refuse,
      }
      return settle(language, async () =>
        succeeded(
          endpoint,
          await verb(
            context,
            accept(z.safeParse<E['input']>(endpoint.input, call.input), call, language),
          ),
          language,
        ),
      )
    },
  }
}

/**
 * Opens an endpoint to staff: learns who asks, checks the permission, parses, claims the
 * Idempotency-Key, runs the verb, writes the audit row and stores the answer, all in one
 * transaction.
 */
export function serve<E extends Endpoint>(endpoint: E, verb: Verb<E>): Route {
  return serveChangeAhead(endpoint, async () => null, verb)
}

/**
 * A change whose first look needs to know no more than the company and the input: it travels with
 * the look at the session, a round trip earlier, and counts for nothing unless that is good.
 */
export function serveChangeAhead<E extends Endpoint, A>(
  endpoint: E,
  ahead: Ahead<E, A>,
  verb: AheadVerb<E, A>,
): Route {
  return {
    endpoint,
    async answer(doors, call) {
      const language = languageOf(call)
      const token = tokenOf(doors, call)
      const input = z.safeParse<E['input']>(endpoint.input, call.input)
      const key = headerOf(call, idempotencyHeader)
      const operation = input.success ? operationOf(endpoint, key, token, input.data) : null
      return settle(
        language,
        () =>
          inSingleTransaction(doors.database, token.companyId, async (tx) => {
            // The claim travels behind the look at the session and counts for nothing unless that
            // is good. Behind, so that where it fails, who asked has been answered already.
            const admitting = admit(doors, tx, token, endpoint.access)
            const claiming = operation && claim(tx, operation)
            claiming?.catch(() => {})
            if (!input.success) {
              await admitting
              return refuseInput(input.error, call, language)
            }
            const looking = ahead(tx, token.companyId, input.data)
            looking.catch(() => {})
            const caller = await admitting
            if (endpoint.idempotent && operation === null) refuseKey(call, language)
            const before = await claiming
            if (before === 'reused') refuse('keyReused')
            if (before !== null) return before
            const changes: Change[] = []
            const context = contextOf<E>(caller, tx, token, call, language, changes)
            const data = await verb(context, input.data, await looking)
            const envelope = succeeded(endpoint, data, language)
            if (operation !== null) {
              if (changes.length === 0) throw new Error(`${endpoint.path} changed without an audit`)
              storeAnswer(tx, operation, envelope)
            }
            for (const change of changes) writeAudit(tx, caller, call.requestId, change)
            return envelope
          }),
        (refused) => keepRefusal(doors, token, operation, refused),
      )
    },
  }
}

/**
 * The same for an endpoint that only looks: its transaction can write nothing, and nothing is kept.
 */
export function serveReading<E extends Endpoint>(endpoint: E, verb: Verb<E>): Route {
  return serveAhead(endpoint, async () => null, verb)
}

/**
 * A look whose first statements need to know no more than the company and the input: they travel
 * with the look at the session, a round trip earlier, and count for nothing unless that is good.
 */
export function serveAhead<E extends Endpoint, A>(
  endpoint: E,
  ahead: Ahead<E, A>,
  verb: AheadVerb<E, A>,
): Route {
  return {
    endpoint,
    async answer(doors, call) {
      const language = languageOf(call)
      const token = tokenOf(doors, call)
      const input = z.safeParse<E['input']>(endpoint.input, call.input)
      return settle(language, () =>
        doors.database.reading(token.companyId, async (tx) => {
          const admitting = admit(doors, tx, token, endpoint.access)
          if (!input.success) {
            await admitting
            return refuseInput(input.error, call, language)
          }
          const looking = ahead(tx, token.companyId, input.data)
          looking.catch(() => {})
          const context = contextOf<E>(await admitting, tx, token, call, language, [])
          const data = await verb(context, input.data, await looking)
          return succeeded(endpoint, data, language)
        }),
      )
    },
  }
}

/** The bearer token of a call. @throws HttpRefusal when there is none of the right form */
export function tokenOf(doors: Doors, call: Call): Token {
  const token = doors.readToken(headerOf(call, 'authorization'))
  if (token === null) throw new HttpRefusal('unauthorized')
  return token
}

/** Who asks, when they may. @throws a refusal when they may not */
export async function admit(
  doors: Doors,
  tx: Transaction,
  token: Token,
  access: Access,
): Promise<Caller> {
  const caller = await doors.authenticate(tx, token)
  if (caller === null) throw new HttpRefusal('unauthorized')
  if (!permitted(access, caller)) refuse('noPermission')
  return caller
}

export function contextOf<E extends Endpoint>(
  caller: Caller,
  tx: Transaction,
  token: Token,
  call: Call,
  language: Language,
  changes: Change[],
): Context<E> {
  return {
    ...caller,
    tx,
    tokenHash: token.hash,
    language,
    requestId: call.requestId,
    fail: refuse,
    changed: (change) => changes.push(change),
  }
}

/** Answers a refusal as an envelope; `keep` may answer with what a repeat was told first. */
export async function settle(
  language: Language,
  work: () => Promise<Envelope>,
  keep: (refused: Envelope) => Promise<Envelope> = async (refused) => refused,
): Promise<Envelope> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refused = failed(error, language)
    return neverKept.has(error.failure) ? refused : keep(refused)
  }
}

// These come before the request was understood, or say nothing about it; asking again may go
// otherwise.
const neverKept = new Set<FailureName>(['invalid', 'noPermission', 'keyReused'])

async function keepRefusal(
  doors: Doors,
  token: Token,
  operation: Operation | null,
  refused: Envelope,
): Promise<Envelope> {
  if (operation === null) return refused
  const op = operation
  const first = await doors.database.transaction(token.companyId, (tx) => record(tx, op, refused))
  return first === null || first === 'reused' ? refused : first
}

function permitted(access: Access, caller: Caller): boolean {
  if (access === 'public' || access === 'staff') return true
  if (caller.seenPermissionVersion !== caller.group.permissionVersion) return false
  return access.some((permission) => caller.permissions.has(permission))
}

/** The input as it was understood. @throws Refusal that names what was wrong with it */
export function accept<T>(
  parsed: z.core.util.SafeParseResult<T>,
  call: Call,
  language: Language,
): T {
  return parsed.success ? parsed.data : refuseInput(parsed.error, call, language)
}

function refuseInput(error: z.core.$ZodError, call: Call, language: Language): never {
  return refuse('invalid', { fields: invalidFields(error.issues, call.input, language) })
}

function refuseKey(call: Call, language: Language): never {
  const given = headerOf(call, idempotencyHeader) !== undefined
  return refuse('invalid', invalidField('Idempotency-Key', given ? 'format' : 'required', language))
}

/** The language that the caller shows; what cannot be read is the default. */
export function languageOf(call: Pick<Call, 'headers'>): Language {
  const asked = Language.safeParse(headerOf(call, languageHeader))
  return asked.success ? asked.data : defaultLanguage
}

function headerOf(call: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = call.headers[name]
  return typeof value === 'string' ? value : undefined
}
