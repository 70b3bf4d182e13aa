import type { Data, Envelope, Input } from '@tillside/contract/wire/endpoint'
import type { FailureName, ImplicitFailure } from '@tillside/contract/wire/failures'
import type { IntegrationEndpoint, Scope } from '@tillside/contract/integration/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import { permissions } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import type { Held, KnownMembers } from '../../database/context.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { actAs, type Acting } from '../../outbox/acting.ts'
import { succeeded } from '../../text/envelope.ts'
import { type Fail, HttpRefusal, refuse } from '../../text/fail.ts'
import {
  answerRefusals,
  type Call,
  type Dependencies,
  headerOf,
  isLost,
  languageOf,
  noneKnown,
  type Token,
  validInput,
} from '../request.ts'

// The scopes of a key decide what it may do, not the permissions of a clerk.
const everyPermission = new Set(permissions)

/** The holder of an API key: a till or another system of one company, read for this request. */
export type KeyHolder = {
  company: {
    id: string
    identifier: string
    revision: number
    timeZone: string
    /** A test key works on the data of a practice company. */
    isPractice: boolean
    /** All its stores, by their codes. */
    stores: ReadonlyMap<string, { code: string; name: string; active: boolean }>
  }
  key: {
    id: string
    /** The purpose of the key, as its creator named it. */
    name: string
    /** SHA-256 of the key. */
    hash: Buffer
    /** The account through which the key acts where a clerk would. */
    account: { id: string; account: string }
    scopes: ReadonlySet<Scope>
    /** The stores that the key may act for; null: every store. */
    stores: ReadonlySet<string> | null
  }
  /** The database's clock when the request began, RFC 3339 in UTC. */
  now: string
  /** That moment's calendar day in the company's time zone, YYYY-MM-DD. */
  today: string
}

/** An API key in the form of a session's `Token`: its company, its account and its hash. */
export type KeyToken = Token

export type KeyDependencies = {
  database: Database
  readKey(authorization: string | undefined): KeyToken | null
  /** The key's holder; null when the key is unknown or revoked. */
  authenticateKey(tx: Transaction, key: KeyToken): Promise<KeyHolder | null>
  /** The keys that this process remembers, where it does. */
  keyMemory?: KeyMemory | undefined
}

/** The holder of a key, as an earlier request of this process has read it. */
export type HeldKey = Omit<Held, 'caller'> & { caller: KeyHolder }

/** The keys that a process remembers, as `SessionMemory` has sessions. */
export type KeyMemory = {
  recall: (token: KeyToken) => HeldKey | null
  /** Counts a request as `SessionMemory` does. */
  admit?: (held: HeldKey) => Promise<boolean>
  /** @returns null when the key or anything about its holder has changed */
  confirm(tx: Transaction, token: KeyToken, held: HeldKey): Promise<KeyHolder | null>
}

/** The context of an integration verb. A batch opens one transaction for each item. */
export type KeyContext<E extends IntegrationEndpoint = IntegrationEndpoint> = KeyHolder & {
  database: Database
  language: Language
  requestId: string
  isSystem: true
  fail: Fail<E['refusals'][number] | ImplicitFailure>
  /** Logs an error of one item; the batch is still answered. */
  report: (error: unknown) => void
}

/**
 * The context of a verb that only reads. It may begin before the key is confirmed, so it has no
 * time, only the company's day. Each burst of `tx` is a transaction.
 */
export type KeyReadContext<E extends IntegrationEndpoint = IntegrationEndpoint> = Omit<
  KeyContext<E>,
  'database' | 'now' | 'report'
> & { tx: Transaction; known: KnownMembers }

export type KeyReadVerb<E extends IntegrationEndpoint> = (
  context: KeyReadContext<E>,
  input: z.output<E['input']>,
) => Promise<z.output<E['data']>>

export type KeyVerb<E extends IntegrationEndpoint> = (
  context: KeyContext<E>,
  input: z.output<E['input']>,
) => Promise<z.output<E['data']>>

export type KeyRoute = {
  endpoint: IntegrationEndpoint
  answer(
    dependencies: Dependencies & KeyDependencies,
    call: Call,
    report: (error: unknown) => void,
  ): Promise<Envelope>
}

/**
 * Serves an endpoint of the integration interface: reads the API key, checks its scope, validates
 * the input and runs the verb.
 */
export function serveKey<E extends IntegrationEndpoint>(endpoint: E, verb: KeyVerb<E>): KeyRoute {
  return {
    endpoint,
    async answer(dependencies, call, report) {
      const language = languageOf(call)
      return answerRefusals(language, async () => {
        const { database } = dependencies
        const holder = await holderOf(dependencies, call)
        if (!holder.key.scopes.has(endpoint.scope)) refuse('noPermission')
        const input = validInput(
          z.safeParse<E['input']>(endpoint.input, call.input),
          call,
          language,
        )
        const context = {
          ...holder,
          database,
          language,
          requestId: call.requestId,
          isSystem: true as const,
          fail: refuse satisfies Fail<FailureName>,
          report,
        }
        const data = await actAs(actingOf(holder), () => verb(context, input))
        return succeeded(endpoint, data, language, everyPermission)
      })
    },
  }
}

/** A call of a remembered key, and its dependencies for an answer in one round trip. */
export type KeyAsked<E extends IntegrationEndpoint> = {
  held: HeldKey
  known: KnownMembers
  input: Input<E>
  database: Database
  language: Language
  requestId: string
}

/**
 * Answers a call with a function of the database, for a key that this process remembers and that
 * the function confirms, and otherwise by its route.
 * @param ask null: only the route can answer
 */
export function keyAtOnceOr<E extends IntegrationEndpoint>(
  endpoint: E,
  route: KeyRoute,
  ask: (asked: KeyAsked<E>) => Promise<Data<E> | null>,
): KeyRoute {
  return {
    endpoint,
    async answer(dependencies, call, report) {
      const { atOnce, database, keyMemory, members } = dependencies
      if (atOnce === undefined) return route.answer(dependencies, call, report)
      const held = keyMemory?.recall(keyTokenOf(dependencies, call)) ?? null
      const input = z.safeParse<E['input']>(endpoint.input, call.input)
      const isPossible =
        held !== null && input.success && held.caller.key.scopes.has(endpoint.scope)
      const language = languageOf(call)
      const { requestId } = call
      const data =
        isPossible && (await keyMemory?.admit?.(held)) !== false
          ? await ask({
              held,
              known: members?.(held.epoch) ?? noneKnown,
              input: input.data,
              database,
              language,
              requestId,
            })
          : null
      atOnce.count(endpoint.path, data !== null)
      return data === null
        ? route.answer(dependencies, call, report)
        : succeeded(endpoint, data, language, everyPermission)
    },
  }
}

/**
 * Serves a call of the integration interface that only reads. For a key that this process
 * remembers, the verb runs in the same round trip as the statement that confirms the key.
 */
export function serveKeyRead<E extends IntegrationEndpoint>(
  endpoint: E,
  verb: KeyReadVerb<E>,
): KeyRoute {
  return {
    endpoint,
    async answer(dependencies, call) {
      const language = languageOf(call)
      const token = keyTokenOf(dependencies, call)
      const input = z.safeParse<E['input']>(endpoint.input, call.input)
      const { database, keyMemory, members } = dependencies
      const run = async (
        tx: Transaction,
        { company, key, today }: KeyHolder,
        known: KnownMembers,
      ) => {
        if (!key.scopes.has(endpoint.scope)) refuse('noPermission')
        const fail = refuse satisfies Fail<FailureName>
        const asked = { tx, known, language, requestId: call.requestId, isSystem: true as const }
        return verb({ ...asked, company, key, today, fail }, validInput(input, call, language))
      }
      return answerRefusals(language, async () => {
        const remembered = keyMemory?.recall(token) ?? null
        // Beyond its limit a key is refused before the verb asks the database for anything.
        const isAdmitted = remembered && (await keyMemory?.admit?.(remembered)) !== false
        const held = isAdmitted === true ? remembered : null
        const known = (held && members?.(held.epoch)) ?? noneKnown
        const read =
          held &&
          keyMemory &&
          (await database.reading(token.companyId, (tx) =>
            whileConfirmed(
              keyMemory.confirm(tx, token, held),
              { held, known },
              run(tx, held.caller, known),
            ),
          ))
        const { data } =
          read ??
          (await database.reading(token.companyId, async (tx) => {
            return { data: await run(tx, await holderIn(dependencies, tx, token), noneKnown) }
          }))
        return succeeded(endpoint, data, language, everyPermission)
      })
    },
  }
}

/** @returns what was read for a remembered holder; null when the holder has changed, or `isLost` */
async function whileConfirmed<T>(
  confirming: Promise<KeyHolder | null>,
  { held, known }: { held: HeldKey; known: KnownMembers },
  reading: Promise<T>,
): Promise<{ data: T } | null> {
  const [confirmed, read] = await Promise.allSettled([confirming, reading])
  if (confirmed.status === 'rejected') throw confirmed.reason
  if (confirmed.value?.today !== held.caller.today || isLost(read, known)) return null
  if (read.status === 'rejected') throw read.reason
  return { data: read.value }
}

/** A key of one store acts there; the items of other keys name their stores. */
export function actingOf({ key }: Pick<KeyHolder, 'key'>, named?: string | null): Acting {
  const [only = null] = key.stores?.size === 1 ? key.stores : []
  return { actor: { type: 'key', keyId: key.id }, store: named ?? only }
}

/** The API key of the request. @throws HttpRefusal 401 when it has none of the right form */
export function keyTokenOf(dependencies: KeyDependencies, call: Pick<Call, 'headers'>): KeyToken {
  const token = dependencies.readKey(headerOf(call, 'authorization'))
  if (token === null) throw new HttpRefusal('unauthorized')
  return token
}

/** The holder of the request's API key. @throws HttpRefusal 401 when it has no valid key */
export async function holderOf(
  dependencies: KeyDependencies,
  call: Pick<Call, 'headers'>,
): Promise<KeyHolder> {
  const token = keyTokenOf(dependencies, call)
  return dependencies.database.reading(token.companyId, (tx) => holderIn(dependencies, tx, token))
}

/** The same within a transaction. @throws HttpRefusal 401 when the key is unknown or revoked */
export async function holderIn(
  dependencies: KeyDependencies,
  tx: Transaction,
  token: KeyToken,
): Promise<KeyHolder> {
  const holder = await dependencies.authenticateKey(tx, token)
  if (holder === null) throw new HttpRefusal('unauthorized')
  return holder
}
