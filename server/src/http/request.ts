import type { Access, Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import {
  type FailureData,
  type FailureName,
  failures,
  implicitFailures,
} from '@tillside/contract/wire/failures'
import { fittingLanguage } from '@tillside/contract/rules/language-fit'
import {
  defaultLanguage,
  Language,
  languageHeader,
  languages,
} from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import type { AuditBatch } from '../database/audit.ts'
import type {
  Caller,
  Change,
  Context,
  Device,
  Held,
  KnownMembers,
  MemberMemory,
} from '../database/context.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Replica } from '../database/replica.ts'
import type { Acting } from '../outbox/acting.ts'
import { failed } from '../text/envelope.ts'
import { HttpRefusal, Refusal, refuse } from '../text/fail.ts'
import { invalidFields } from '../text/invalid.ts'
import { withhold } from '../text/withhold.ts'

// The steps that the serve functions share: the token, the permission, the input, the refusal.

/** A request, free of the web framework. `input` is not validated yet. */
export type Call = {
  headers: Record<string, string | string[] | undefined>
  input: unknown
  address: string
  device: Device
  requestId: string
  /** False: while the first request with the same Idempotency-Key runs, this one is refused. */
  waits?: false
}

/**
 * A staff session's bearer token. Its first part names the company and the account; the database
 * stores the hash of the whole token.
 */
export type Token = { companyId: string; staffId: string; hash: Buffer }

/** The dependencies of the serve functions. */
export type Dependencies = {
  database: Database
  /** A standby that follows the database, where there is one. */
  replica?: Replica | undefined
  readToken(authorization: string | undefined): Token | null
  /** Writes the audit rows of read-only calls. */
  audit: AuditBatch
  /** The session's holder; null when the token is unknown or expired, or the account is closed. */
  authenticate(tx: Transaction, token: Token): Promise<Caller | null>
  /** Absent: each change takes its several round trips. */
  atOnce?: AtOnce | undefined
  /** The sessions that this process remembers, where it does. */
  memory?: SessionMemory | undefined
  /** The members that this process remembers, where it does. */
  members?: MemberMemory | undefined
}

/** The dependencies of changes in one round trip. */
export type AtOnce = {
  /** Counts a call by its path, and whether the function answered it. */
  count: (path: string, isAnswered: boolean) => void
}

/** What a process remembers of sessions, and how a request makes sure that it is still so. */
export type SessionMemory = {
  recall(token: Token): Held | null
  /**
   * Counts a request that a function of the database answers toward the limit of its caller, where
   * callers have one. `confirm` counts the others.
   * @returns false when the caller is beyond the limit
   */
  admit?: () => Promise<boolean>
  /**
   * Confirms a remembered holder with one short statement.
   * @returns null when the session or anything about its holder has changed
   */
  confirm(tx: Transaction, token: Token, held: Held): Promise<Caller | null>
}

/** For a request whose holder is not remembered: nothing is taken from the memory or put there. */
export const noneKnown: KnownMembers = {
  recall: () => undefined,
  learn: () => {},
  hint: () => undefined,
  keepHint: () => {},
  forget: () => false,
}

/**
 * Whether a read has not found a member that it recalled. A database that was restored, or a
 * standby that took over, can lack the newest members and have the epoch that was read with them.
 * The member is then forgotten.
 */
export function isLost(read: PromiseSettledResult<unknown>, known: KnownMembers): boolean {
  if (read.status === 'fulfilled' || !(read.reason instanceof Refusal)) return false
  return read.reason.failure === 'memberUnknown' && known.forget()
}

/** One endpoint and its handler, ready for the web framework. */
export type Route = {
  endpoint: Endpoint
  answer(dependencies: Dependencies, call: Call): Promise<Envelope>
}

/** @throws HttpRefusal 401 when the request has no well-formed bearer token */
export function bearerToken(dependencies: Dependencies, call: Call): Token {
  const token = dependencies.readToken(headerOf(call, 'authorization'))
  if (token === null) throw new HttpRefusal('unauthorized')
  return token
}

/**
 * Reads the session and checks that its holder may call the endpoint.
 * @throws HttpRefusal 401 without a valid session; Refusal `noPermission`
 */
export async function authorize(
  dependencies: Dependencies,
  tx: Transaction,
  token: Token,
  access: Access,
): Promise<Caller> {
  const caller = await dependencies.authenticate(tx, token)
  if (caller === null) throw new HttpRefusal('unauthorized')
  if (!isPermitted(access, caller)) refuse('noPermission')
  return caller
}

/** Whether the caller may call an endpoint with this access. */
export function isPermitted(access: Access, caller: Omit<Caller, 'now' | 'today'>): boolean {
  if (access === 'public' || access === 'staff') return true
  if (access === 'member') return caller.hasMemberModule
  if (caller.seenPermissionVersion !== caller.group.permissionVersion) return false
  return access.some((permission) => caller.permissions.has(permission))
}

/** The validated input. @throws Refusal `invalid` that lists each wrong field */
export function validInput<T>(
  parsed: z.core.util.SafeParseResult<T>,
  call: Call,
  language: Language,
): T {
  return parsed.success ? parsed.data : refuseInvalid(parsed.error, call, language)
}

/** @throws Refusal `invalid` that lists each wrong field */
export function refuseInvalid(error: z.core.$ZodError, call: Call, language: Language): never {
  return refuse('invalid', { fields: invalidFields(error.issues, call.input, language) })
}

/** Runs a read-only verb and keeps the audit rows that it records, when it refuses too. */
export async function auditedRead<T>(read: () => Promise<T>, keep: () => void): Promise<T> {
  try {
    const data = await read()
    keep()
    return data
  } catch (error) {
    if (error instanceof Refusal) keep()
    throw error
  }
}

/** The context of a staff verb; `changes` collects the audit rows that the verb records. */
export function staffContext<E extends Endpoint>(
  caller: Omit<Caller, 'now'>,
  now: string,
  tx: Transaction,
  token: Token,
  call: Call,
  changes: Change[],
): Context<E> {
  return {
    ...caller,
    now,
    tx,
    tokenHash: token.hash,
    language: languageOf(call),
    requestId: call.requestId,
    fail: failOf(caller),
    changed: (change) => changes.push(change),
  }
}

/** The account or the API key, and the store, that the events of a request name. */
export function actingOf({
  staff: { account },
  isSystem,
  store,
}: Pick<Caller, 'staff' | 'isSystem' | 'store'>): Acting {
  // `staff/keys/key.ts` names the account of a key.
  return isSystem
    ? { actor: { type: 'key', keyId: account.replace(/^key /, '') }, store: store.code }
    : { actor: { type: 'staff', account }, store: store.code }
}

/** The `fail` of a caller's verb: a refusal leaves out the facts that the caller may not see. */
export function failOf({ permissions }: Pick<Caller, 'permissions'>) {
  return (failure: FailureName, data: FailureData<FailureName> = null): never => {
    const { data: schema } = failures[failure]
    const left = withhold(schema, data, permissions)
    return refuse(failure, left === data ? data : schema.parse(left))
  }
}

// Not stored, because they do not decide the operation: bad input, a missing permission, a key that
// belongs to another request.
const neverStored = new Set<FailureName>(implicitFailures)

/**
 * Runs `work` and turns a refusal that it throws into an envelope; other errors pass through.
 * @param store receives each refusal that is final for its Idempotency-Key. It returns the envelope
 *   to answer: this one, or the one that an earlier request with the same key stored.
 */
export async function answerRefusals(
  language: Language,
  work: () => Promise<Envelope>,
  store: (refused: Envelope) => Promise<Envelope> = async (refused) => refused,
): Promise<Envelope> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refused = failed(error, language)
    return neverStored.has(error.failure) ? refused : store(refused)
  }
}

/**
 * The language that is nearest to the one that the caller asks for; the default when none is near
 * or the header is missing.
 */
export function languageOf(call: Pick<Call, 'headers'>): Language {
  const wish = headerOf(call, languageHeader)
  if (wish === undefined) return defaultLanguage
  // The portal sends one of ours, which needs no search.
  const own = Language.safeParse(wish)
  return own.success ? own.data : fittingLanguage(languages, [wish], defaultLanguage)
}

/** A header that was sent once; undefined when it is missing or repeated. */
export function headerOf(call: Pick<Call, 'headers'>, name: string): string | undefined {
  const value = call.headers[name]
  return typeof value === 'string' ? value : undefined
}
