import * as z from 'zod/mini'
import { text, wholeNumber } from '../wire/shapes.ts'
import { maxPage } from './endpoint.ts'

const pageInput = {
  /** `next` of the page before. */
  after: z.optional(text(1024)),
  limit: z._default(wholeNumber(1, maxPage), 20),
}

/** The input of a list of the counter, with `after` and `limit` for its cursor and page size. */
export function pagedInput<T extends z.core.$ZodShape & { cursor: unknown; pageSize: unknown }>(
  input: z.ZodMiniObject<T, z.core.$strict>,
) {
  const { cursor: _cursor, pageSize: _pageSize, ...own } = input.shape
  return z.strictObject({ ...own, ...pageInput })
}

/** A page of a list of the counter, with `next` for its `nextCursor`; null on the last page. */
export function paged<T extends z.core.$ZodShape & { nextCursor: unknown }>(
  data: z.ZodMiniObject<T>,
) {
  const { nextCursor: _nextCursor, ...own } = data.shape
  return z.object({ ...own, next: z.nullable(z.string()) })
}
