import * as z from 'zod/mini'
import { fieldReasons } from '../wire/failures.ts'

const maxItems = 500

/** The body of a call whose items are answered one by one. */
export const Batch = z.strictObject({
  items: z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxItems)),
})

/** The reasons why an item is refused, in addition to `invalid`, which names its fields. */
export const itemReasons = [
  /** It exists already, with different content. */
  'changed',
  'memberUnknown',
  'originalUnknown',
  'originalOtherMember',
  'originalReturned',
  /** The receipt's year is before 1970 or after 9998. */
  'dateImpossible',
  /** The receipt is from more than 24 hours ahead. */
  'dateAhead',
  /** The receipt is from before `receipts.acceptSalesSince` of the company. */
  'dateTooEarly',
  /** An amount, or its points, cannot be added up with others. */
  'amountTooLarge',
  'saleNegative',
  'spendAboveTotal',
  /** The lines differ from the total by more than `receipts.lineTolerance` of the company. */
  'linesNotTotal',
  'storeUnknown',
  /** The API key is not allowed to act for this store. */
  'storeNotAllowed',
  /** The value belongs to another member. */
  'taken',
  /** The member with this code was erased and is not created again. */
  'erased',
  /** The company does not have this field. */
  'fieldUnknown',
  /** The value does not match the company's field, or the address has an unknown region. */
  'fieldInvalid',
  'pointsAboveBalance',
  /** A server error; nothing of the item was stored, and it may be sent again. */
  'internal',
] as const
export type ItemReason = (typeof itemReasons)[number]

const RefusedItem = z.object({
  index: z.int(),
  outcome: z.literal('refused'),
  reason: z.enum(['invalid', ...itemReasons]),
  message: z.string(),
  /** The invalid fields of the item, with reasons. */
  fields: z.array(
    z.object({
      path: z.string(),
      reason: z.enum([...fieldReasons, ...itemReasons]),
      message: z.string(),
    }),
  ),
})
export type RefusedItem = z.infer<typeof RefusedItem>

/**
 * The answer to a batch, in the order of the items. `unchanged`: the item exists already, with the
 * same content. @param more the fields of an item that was not refused
 */
export function answers<T extends z.core.$ZodShape>(more: T) {
  const Done = z.object({ index: z.int(), outcome: z.enum(['created', 'unchanged']), ...more })
  return z.object({
    items: z.array(z.union([Done, RefusedItem])),
    created: z.int(),
    unchanged: z.int(),
    refused: z.int(),
  })
}
