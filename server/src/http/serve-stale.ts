import type { Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Ahead, AheadVerb } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { succeeded } from '../text/envelope.ts'
import type { Replica } from '../database/replica.ts'
import {
  admit,
  type Call,
  contextOf,
  type Doors,
  languageOf,
  type Route,
  serveAhead,
  tokenOf,
} from './serve.ts'

// A change to any member; logging in is none. Longer than a request can take, as the row carries
// the time at which it began.
const hasChanged = statement(
  `select exists (
     select from audit where company_id = $1 and staff_id = $2 and member_id is not null
       and at > now() - interval '15 seconds'
   ) as changed`,
  z.object({ changed: z.boolean() }),
)

/**
 * A look that may be a second old, and so may come from a standby: nothing is decided by it, and
 * whoever has just changed something sees the change. Who asks is looked up in the database itself,
 * always. Where the standby is away or late, refuses or fails, the database answers as if there
 * were none; so no refusal is ever a standby's.
 */
export function serveStale<E extends Endpoint, A>(
  endpoint: E,
  ahead: Ahead<E, A>,
  verb: AheadVerb<E, A>,
): Route {
  const current = serveAhead(endpoint, ahead, verb)

  async function fromStandby(
    doors: Doors,
    { database: copy }: Replica,
    call: Call,
  ): Promise<Envelope | null> {
    const token = tokenOf(doors, call)
    const input = z.safeParse<E['input']>(endpoint.input, call.input)
    if (!input.success) return null
    const { companyId, staffId } = token
    return copy.reading(companyId, async (tx) => {
      const admitting = doors.database.reading(companyId, (here) =>
        Promise.all([
          admit(doors, here, token, endpoint.access),
          here.one(hasChanged, [companyId, staffId]),
        ]),
      )
      admitting.catch(() => {})
      const found = await ahead(tx, companyId, input.data)
      const [caller, { changed }] = await admitting
      if (changed) return null
      const language = languageOf(call)
      const context = contextOf<E>(caller, tx, token, call, language, [])
      return succeeded(endpoint, await verb(context, input.data, found), language)
    })
  }

  return {
    endpoint,
    async answer(doors, call) {
      const { replica } = doors
      if (replica?.fresh() !== true) return current.answer(doors, call)
      const old = await fromStandby(doors, replica, call).catch(() => null)
      return old ?? current.answer(doors, call)
    },
  }
}
