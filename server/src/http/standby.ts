import type { Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Change, ReadAhead, Verb } from '../database/context.ts'
import { statement } from '../database/database.ts'
import type { Replica } from '../database/replica.ts'
import { succeeded } from '../text/envelope.ts'
import {
  authorize,
  bearerToken,
  type Call,
  type Dependencies,
  languageOf,
  noneKnown,
  staffContext,
} from './request.ts'

/** The arguments of `serve`: the endpoint, its verb and the verb's first query. */
export type Served<E extends Endpoint, Found> = {
  endpoint: E
  verb: Verb<E, Found | undefined>
  readAhead?: ReadAhead<E, Found>
  standby?: MemberIn<Found>
}

/** The member whom a call is about, in what its first query has found; null without one. */
export type MemberIn<Found> = (found: Found) => string | null

// Whether this account has just changed this member; a look-up is no change. The audit row has the
// time at which its request began; 15 seconds is longer than a request may take.
const hasChanged = statement(
  `select exists (
     select from audit where company_id = $1 and place = $2 and staff_id = $3
       and member_id is not null
       and action not in ('member.lookUp', 'member.lookUpRefused', 'staff.alert')
       and at > now() - interval '15 seconds'
   ) as changed`,
  z.object({ changed: z.boolean() }),
)

/**
 * Answers a read-only request from the standby, at most a second behind the database. The session
 * is always read from the database itself.
 * @returns null when the database must answer: the standby is missing or late, the caller has just
 *   changed the member and must see the change, or anything was refused or failed
 */
export async function readStandby<E extends Endpoint, Found>(
  dependencies: Dependencies,
  served: Served<E, Found>,
  call: Call,
): Promise<Envelope | null> {
  const { replica } = dependencies
  if (replica?.fresh() !== true) return null
  return read(dependencies, replica, served, call).catch(() => null)
}

async function read<E extends Endpoint, Found>(
  dependencies: Dependencies,
  { database: standby }: Replica,
  { endpoint, verb, readAhead, standby: memberIn }: Served<E, Found>,
  call: Call,
): Promise<Envelope | null> {
  const token = bearerToken(dependencies, call)
  const input = z.safeParse<E['input']>(endpoint.input, call.input)
  if (!input.success || readAhead === undefined || memberIn === undefined) return null
  const { companyId, staffId } = token
  return standby.reading(companyId, async (tx) => {
    const authorizing = dependencies.database.reading(companyId, (primary) =>
      authorize(dependencies, primary, token, endpoint.access),
    )
    authorizing.catch(() => {})
    const found = await readAhead(tx, companyId, input.data, staffId, noneKnown)
    const memberId = memberIn(found)
    // A member whom the standby does not know can be new.
    if (memberId === null) return null
    const asking = dependencies.database.reading(companyId, (primary) =>
      primary.one(hasChanged, [companyId, memberId, staffId]),
    )
    const [caller, { changed }] = await Promise.all([authorizing, asking])
    if (changed) return null
    const changes: Change[] = []
    const context = staffContext<E>(caller, caller.now, tx, token, call, changes)
    const data = await verb(context, input.data, found)
    // A refusal is answered, and recorded, by the database itself.
    dependencies.audit.add(caller, call.requestId, changes)
    return succeeded(endpoint, data, languageOf(call), caller.permissions)
  })
}
