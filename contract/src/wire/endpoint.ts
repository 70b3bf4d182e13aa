import * as z from 'zod/mini'
import type { FailureName } from './failures.ts'
import type { Permission } from './permissions.ts'

export const basePath = '/web/api/v1'

/**
 * The request header with the idempotency key of a value-moving request. A repeat with the same key
 * is the same request.
 */
export const idempotencyHeader = 'idempotency-key'

/**
 * `public`: no token. `staff`: any valid session. `member`: any session of a group that has the
 * member module. Otherwise the group needs the member module and one of these permissions.
 */
export type Access = 'public' | 'staff' | 'member' | readonly [Permission, ...Permission[]]

/**
 * One endpoint, used by server and portal.
 * `inQuery`: the parts of a POST's input that are sent in the query string.
 * `needsKey`: it moves value, so an Idempotency-Key is required and a repeated request has no
 * further effect.
 * `device`: the browser sends its device cookie and keeps the one of the answer.
 * `refusals`: the possible refusals in addition to `implicitFailures`; the verb can refuse with no
 * others.
 */
export type Endpoint = {
  method: 'GET' | 'POST'
  path: string
  access: Access
  needsKey: boolean
  inQuery?: readonly string[]
  device?: true
  input: z.ZodMiniType
  data: z.ZodMiniType
  refusals: readonly FailureName[]
}

/** The parsed input of a verb. */
export type Input<E extends Pick<Endpoint, 'input'>> = z.output<E['input']>
/** The answer of a verb. */
export type Data<E extends Pick<Endpoint, 'data'>> = z.output<E['data']>

/** Declares an endpoint; its types of input, data and refusals are inferred from the value. */
export function endpoint<const E extends Endpoint>(e: E): E {
  return e
}

/** The input of an endpoint without parameters. */
export const nothing = z.strictObject({})

/** The JSON body of every success and refusal; code 0 is success. */
export const Envelope = z.object({ code: z.int(), message: z.string(), data: z.unknown() })
export type Envelope = z.infer<typeof Envelope>
