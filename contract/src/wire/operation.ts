import * as z from 'zod/mini'
import { endpoint, Envelope } from './endpoint.ts'

/** An Idempotency-Key: any UUID, made by the caller before sending. */
export const OperationKey = z.uuid()

/**
 * What became of a value-moving call whose answer was lost; `answer` is the very envelope that it
 * got.
 */
export const operationStatus = endpoint({
  method: 'GET',
  path: '/connector/operation/status',
  access: 'staff',
  idempotent: false,
  input: z.strictObject({ key: OperationKey }),
  data: z.object({
    state: z.enum(['unknown', 'running', 'done']),
    answer: z.nullable(Envelope),
  }),
  refusals: [],
})
