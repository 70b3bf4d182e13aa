import {
  type Access,
  type Endpoint,
  Envelope,
  idempotencyHeader,
} from '@tillside/contract/endpoint'
import type { FailureName } from '@tillside/contract/failures'
import { defaultLanguage, Language, languageHeader } from '@tillside/contract/language'
import { OperationKey } from '@tillside/contract/operation'
import * as z from 'zod/mini'
import { writeAudit } from './audit.ts'
import type { Caller, Change, Context, PublicContext, PublicVerb, Verb } from './context.ts'
import { type Database, type Transaction } from './database.ts'
import { HttpRefusal, Refusal, refuse } from './fail.ts'
import { failed, succeeded } from './envelope.ts'
import { invalidFields } from './invalid.ts'
import { answered, claim, hashBody, type Operation, record } from './operation.ts'

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
export type Token = { companyId: string; hash: Buffer }

export type Doors = {
  database: Database
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
        succeeded(endpoint, await verb(context, parse(endpoint, call, language)), language),
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
  return {
    endpoint,
    async answer(doors, call) {
      const token = doors.readToken(headerOf(call, 'authorization'))
      if (token === null) throw new HttpRefusal('unauthorized')
      const language = languageOf(call)
      let operation: Operation | null = null
      return settle(
        language,
        () =>
          doors.database.transaction(token.companyId, async (tx) => {
            const caller = await doors.authenticate(tx, token)
            if (caller === null) throw new HttpRefusal('unauthorized')
            if (!permitted(endpoint.access, caller)) refuse('noPermission')
            const input = parse(endpoint, call, language)
            operation = endpoint.idempotent
              ? operationOf(endpoint, call, caller, input, language)
              : null
            const before = operation && (await claim(tx, operation))
            if (before === 'reused') refuse('keyReused')
            if (before !== null) return before
            const changes: Change[] = []
            const context: Context<E> = {
              ...caller,
              tx,
              tokenHash: token.hash,
              language,
              requestId: call.requestId,
              fail: refuse,
              changed: (change) => changes.push(change),
            }
            const envelope = succeeded(endpoint, await verb(context, input), language)
            if (operation !== null && changes.length === 0) {
              throw new Error(`${endpoint.path} changed something without an audit row`)
            }
            await Promise.all([
              operation && answered(tx, operation, envelope),
              ...changes.map((change) => writeAudit(tx, caller, call.requestId, change)),
            ])
            return envelope
          }),
        (refused) => keepRefusal(doors, token, operation, refused),
      )
    },
  }
}

/** Answers a refusal as an envelope; `keep` may answer with what a repeat was told first. */
async function settle(
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

function parse<E extends Endpoint>(
  endpoint: E,
  call: Call,
  language: Language,
): z.output<E['input']> {
  const parsed = z.safeParse<E['input']>(endpoint.input, call.input)
  if (parsed.success) return parsed.data
  return refuse('invalid', { fields: invalidFields(parsed.error.issues, call.input, language) })
}

function operationOf(
  endpoint: Endpoint,
  call: Call,
  caller: Caller,
  body: unknown,
  language: Language,
): Operation {
  const key = OperationKey.safeParse(headerOf(call, idempotencyHeader))
  if (!key.success) {
    const issues = key.error.issues.map((issue) => ({ ...issue, path: ['Idempotency-Key'] }))
    return refuse('invalid', { fields: invalidFields(issues, call.headers, language) })
  }
  return {
    companyId: caller.company.id,
    staffId: caller.staff.id,
    key: key.data.toLowerCase(),
    endpoint: endpoint.path,
    bodyHash: hashBody(body),
  }
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
