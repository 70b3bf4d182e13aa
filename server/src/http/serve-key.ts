import type { Envelope } from '@tillside/contract/wire/endpoint'
import type { FailureName } from '@tillside/contract/wire/failures'
import type { IntegrationEndpoint, Scope } from '@tillside/contract/integration'
import type { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import type { Database, Transaction } from '../database/database.ts'
import { succeeded } from '../text/envelope.ts'
import { type Fail, HttpRefusal, refuse } from '../text/fail.ts'
import { invalidFields } from '../text/invalid.ts'
import { type Call, languageOf, settle } from './serve.ts'

/** Who asks: a till or another system of one company, as the database knew its key just now. */
export type KeyHolder = {
  company: {
    id: string
    identifier: string
    revision: number
    timeZone: string
    /** The codes of all stores that it has. */
    stores: ReadonlySet<string>
  }
  key: {
    id: string
    scopes: ReadonlySet<Scope>
    /** The stores that it may speak for; null: every store. */
    stores: ReadonlySet<string> | null
  }
  /** The database's clock when the request began, RFC 3339 in UTC. */
  now: string
  /** The day that it was then for the company. */
  today: string
}

/** A key, split as a session's token is: where to look, and what to look for. */
export type KeyToken = { companyId: string; hash: Buffer }

export type KeyDoors = {
  database: Database
  readKey(authorization: string | undefined): KeyToken | null
  /** Who holds the key now; null when it is unknown or revoked. */
  authenticateKey(tx: Transaction, key: KeyToken): Promise<KeyHolder | null>
}

/** What a verb works with; each of its items has a transaction of its own. */
export type KeyContext<E extends IntegrationEndpoint = IntegrationEndpoint> = KeyHolder & {
  database: Database
  language: Language
  requestId: string
  fail: Fail<E['refusals'][number]>
  /** Tells the log of something that went wrong and was answered all the same. */
  report: (error: unknown) => void
}

export type KeyVerb<E extends IntegrationEndpoint> = (
  context: KeyContext<E>,
  input: z.output<E['input']>,
) => Promise<z.output<E['data']>>

export type KeyRoute = {
  endpoint: IntegrationEndpoint
  answer(doors: KeyDoors, call: Call, report: (error: unknown) => void): Promise<Envelope>
}

/**
 * Opens an endpoint of the integration interface: learns whose key it is, checks its scope, parses.
 */
export function serveKey<E extends IntegrationEndpoint>(endpoint: E, verb: KeyVerb<E>): KeyRoute {
  return {
    endpoint,
    async answer(doors, call, report) {
      const language = languageOf(call)
      return settle(language, async () => {
        const { database } = doors
        const holder = await holderOf(doors, call)
        if (!holder.key.scopes.has(endpoint.scope)) refuse('noPermission')
        const input = z.safeParse<E['input']>(endpoint.input, call.input)
        if (!input.success) {
          refuse('invalid', { fields: invalidFields(input.error.issues, call.input, language) })
        }
        const context = {
          ...holder,
          database,
          language,
          requestId: call.requestId,
          fail: refuse satisfies Fail<FailureName>,
          report,
        }
        return succeeded(endpoint, await verb(context, input.data), language)
      })
    },
  }
}

/** Whose key a call comes with. @throws HttpRefusal when there is none that works */
export async function holderOf(doors: KeyDoors, call: Pick<Call, 'headers'>): Promise<KeyHolder> {
  const token = doors.readKey(authorizationOf(call))
  if (token === null) throw new HttpRefusal('unauthorized')
  const holder = await doors.database.reading(token.companyId, (tx) =>
    doors.authenticateKey(tx, token),
  )
  if (holder === null) throw new HttpRefusal('unauthorized')
  return holder
}

function authorizationOf({ headers }: Pick<Call, 'headers'>): string | undefined {
  const { authorization } = headers
  return typeof authorization === 'string' ? authorization : undefined
}
