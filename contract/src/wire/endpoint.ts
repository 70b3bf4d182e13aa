import * as z from 'zod/mini'
import type { FailureName } from './failures.ts'
import type { Permission } from './permissions.ts'

export const basePath = '/web/api/v1'

/**
 * Carries the caller's name for a value-moving request; a repeat with the same key is the same
 * request.
 */
export const idempotencyHeader = 'idempotency-key'

/**
 * `public`: no token. `staff`: any live session. Otherwise the session must hold one of these
 * permissions.
 */
export type Access = 'public' | 'staff' | readonly [Permission, ...Permission[]]

/**
 * One call of the wire, used by both sides.
 * `inQuery`: the parts of a POST's input that travel in the query all the same.
 * `idempotent`: an Idempotency-Key is required and asking twice is asking once.
 * `refusals`: what this call may answer besides `implicitFailures`; the verb can refuse with
 * nothing else.
 */
export type Endpoint = {
  method: 'GET' | 'POST'
  path: string
  access: Access
  idempotent: boolean
  inQuery?: readonly string[]
  input: z.ZodMiniType
  data: z.ZodMiniType
  refusals: readonly FailureName[]
}

/** What a verb takes: the input as it was parsed. */
export type Input<E extends Pick<Endpoint, 'input'>> = z.output<E['input']>
/** What a verb answers. */
export type Data<E extends Pick<Endpoint, 'data'>> = z.output<E['data']>

/** Declares an endpoint; the types of its input, data and refusals are read off the value. */
export function endpoint<const E extends Endpoint>(e: E): E {
  return e
}

/** The input of a call that takes none. */
export const nothing = z.strictObject({})

/** What a success or a refusal looks like on the wire; code 0 is success. */
export const Envelope = z.object({ code: z.int(), message: z.string(), data: z.unknown() })
export type Envelope = z.infer<typeof Envelope>
