import * as z from 'zod/mini'
import type { Endpoint } from '../wire/endpoint.ts'
import type { FailureName } from '../wire/failures.ts'

// The API for a company's tills, web shops and other systems. There is no session: each call
// authenticates with an API key.

export const integrationBase = '/integration/v1'

/** The scopes that an API key may have. */
export const scopes = [
  'transactions:write',
  'transactions:read',
  'members:write',
  'members:read',
  'points:write',
  'points:spend',
  'coupons:read',
  'coupons:redeem',
  'coupons:issue',
  'reports:read',
  'events:read',
  'test:clock',
] as const
export const Scope = z.enum(scopes)
export type Scope = z.infer<typeof Scope>

/** The parts of the interface, as its documentation groups them. */
export const tags = ['Members', 'Points', 'Coupons', 'Sales', 'Events', 'Test mode'] as const

/**
 * An endpoint of the integration API.
 * `path`: `{name}` is an input in the path.
 * `item`: the schema of each of the input's `items`, which are validated one by one, so that a
 * wrong item does not affect the others.
 */
export type IntegrationEndpoint = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  scope: Scope
  tag: (typeof tags)[number]
  /** A heading of a few words. */
  summary: string
  /** The effect of the call, for the programmer of a till. */
  description: string
  input: z.ZodMiniType
  item?: z.ZodMiniType
  data: z.ZodMiniType
  /** `data` in the OpenAPI document, where that says more than the server checks. */
  documented?: z.ZodMiniType
  refusals: readonly FailureName[]
  counter?: Counter
}

/**
 * The counter's endpoint whose verb answers the call, so that a till and a clerk act by one rule.
 * Such a call acts in one store, and takes an Idempotency-Key where the counter does.
 */
export type Counter = {
  endpoint: Endpoint
  /**
   * How the two inputs differ. `same`: not at all. `page`: `after`, `limit` and `next` are the
   * counter's `cursor`, `pageSize` and `nextCursor`. `changes`: the fields of `changes` are in the
   * body itself.
   */
  shape: 'same' | 'page' | 'changes'
}

/** The limit of one POST body: many receipts with many items. */
export const integrationBodyLimitBytes = 8 * 1024 * 1024

/** Declares an endpoint; its types of input, data and refusals are inferred from the value. */
export function integrationEndpoint<const E extends IntegrationEndpoint>(e: E): E {
  return e
}

/** The header that names the store in which a call acts; a key of one store needs none. */
export const storeHeader = 'tillside-store'

/** The header with the id of a request, which the log has too. */
export const requestIdHeader = 'request-id'

/** The most that one page has. */
export const maxPage = 100
