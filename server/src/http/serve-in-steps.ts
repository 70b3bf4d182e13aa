import type { Endpoint } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { StepsVerb } from '../database/context.ts'
import { actAs } from '../outbox/acting.ts'
import { succeeded } from '../text/envelope.ts'
import {
  actingOf,
  answerRefusals,
  authorize,
  bearerToken,
  failOf,
  languageOf,
  type Route,
  validInput,
} from './request.ts'

/**
 * Serves an endpoint to signed-in staff whose verb needs several transactions: a failed attempt
 * must be counted although the request is refused, or slow work between two transactions must not
 * hold a connection. Only for endpoints without an Idempotency-Key.
 */
export function serveInSteps<E extends Endpoint>(endpoint: E, verb: StepsVerb<E>): Route {
  if (endpoint.needsKey) throw new Error(`${endpoint.path} must be one transaction`)
  return {
    endpoint,
    async answer(dependencies, call) {
      const language = languageOf(call)
      const token = bearerToken(dependencies, call)
      const { database } = dependencies
      return answerRefusals(language, async () => {
        const caller = await database.reading(token.companyId, (tx) =>
          authorize(dependencies, tx, token, endpoint.access),
        )
        const input = validInput(
          z.safeParse<E['input']>(endpoint.input, call.input),
          call,
          language,
        )
        const { requestId, address, device } = call
        const context = { database, tokenHash: token.hash, language, requestId, address, device }
        const work = () => verb({ ...caller, ...context, fail: failOf(caller) }, input)
        const data = await actAs(actingOf(caller), work)
        return succeeded(endpoint, data, language, caller.permissions)
      })
    },
  }
}
