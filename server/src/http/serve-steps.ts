import type { Endpoint } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { StepsVerb } from '../database/context.ts'
import { succeeded } from '../text/envelope.ts'
import { refuse } from '../text/fail.ts'
import { accept, admit, languageOf, type Route, settle, tokenOf } from './serve.ts'

/**
 * Opens an endpoint to staff whose verb works in several transactions: because a try must count
 * though the call is refused, or because something slow lies between and must hold no connection.
 * For calls without an Idempotency-Key.
 */
export function serveSteps<E extends Endpoint>(endpoint: E, verb: StepsVerb<E>): Route {
  if (endpoint.idempotent) throw new Error(`${endpoint.path} wants to be one transaction`)
  return {
    endpoint,
    async answer(doors, call) {
      const language = languageOf(call)
      const token = tokenOf(doors, call)
      const { database } = doors
      return settle(language, async () => {
        const caller = await database.reading(token.companyId, (tx) =>
          admit(doors, tx, token, endpoint.access),
        )
        const input = accept(z.safeParse<E['input']>(endpoint.input, call.input), call, language)
        const { requestId, address } = call
        const context = { database, tokenHash: token.hash, language, requestId, address }
        const data = await verb({ ...caller, ...context, fail: refuse }, input)
        return succeeded(endpoint, data, language)
      })
    },
  }
}
