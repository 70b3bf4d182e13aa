import type { Envelope } from '@tillside/contract/wire/endpoint'
import type { FailureName, ImplicitFailure } from '@tillside/contract/wire/failures'
import type { IntegrationEndpoint, Scope } from '@tillside/contract/integration'
import type { Language } from '@tillside/contract/wire/language'
import { permissions } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'
import type { Database, Transaction } from '../database/database.ts'
import { succeeded } from '../text/envelope.ts'
import { type Fail, HttpRefusal, refuse } from '../text/fail.ts'
import { answerRefusals, type Call, headerOf, languageOf, validInput } from './request.ts'

// The scopes of a key decide what it may do, not the permissions of a clerk.
const everyPermission = new Set(permissions)

/** The holder of an API key: a till or another system of one company, read for this request. */
export type KeyHolder = {
  company: {
    id: string
    identifier: string
    revision: number
    timeZone: string
    /** The codes of all its stores. */
    stores: ReadonlySet<string>
  }
  key: {
    id: string
    scopes: ReadonlySet<Scope>
    /** The stores that the key may act for; null: every store. */
    stores: ReadonlySet<string> | null
  }
  /** The database's clock when the request began, RFC 3339 in UTC. */
  now: string
  /** That moment's calendar day in the company's time zone, YYYY-MM-DD. */
  today: string
}

/** An API key in the form of a session's `Token`: its company, and the hash of the whole key. */
export type KeyToken = { companyId: string; hash: Buffer }

export type KeyDependencies = {
  database: Database
  readKey(authorization: string | undefined): KeyToken | null
  /** The key's holder; null when the key is unknown or revoked. */
  authenticateKey(tx: Transaction, key: KeyToken): Promise<KeyHolder | null>
}

/** The context of an integration verb. A batch opens one transaction for each item. */
export type KeyContext<E extends IntegrationEndpoint = IntegrationEndpoint> = KeyHolder & {
  database: Database
  language: Language
  requestId: string
  fail: Fail<E['refusals'][number] | ImplicitFailure>
  /** Logs an error of one item; the batch is still answered. */
  report: (error: unknown) => void
}

export type KeyVerb<E extends IntegrationEndpoint> = (
  context: KeyContext<E>,
  input: z.output<E['input']>,
) => Promise<z.output<E['data']>>

export type KeyRoute = {
  endpoint: IntegrationEndpoint
  answer(
    dependencies: KeyDependencies,
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
          fail: refuse satisfies Fail<FailureName>,
          report,
        }
        return succeeded(endpoint, await verb(context, input), language, everyPermission)
      })
    },
  }
}

/** The holder of the request's API key. @throws HttpRefusal 401 when it has no valid key */
export async function holderOf(
  dependencies: KeyDependencies,
  call: Pick<Call, 'headers'>,
): Promise<KeyHolder> {
  const token = dependencies.readKey(headerOf(call, 'authorization'))
  if (token === null) throw new HttpRefusal('unauthorized')
  const holder = await dependencies.database.reading(token.companyId, (tx) =>
    dependencies.authenticateKey(tx, token),
  )
  if (holder === null) throw new HttpRefusal('unauthorized')
  return holder
}
