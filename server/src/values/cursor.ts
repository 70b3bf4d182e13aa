import * as z from 'zod/mini'

/**
 * A position in a list: the sort key of the last row shown and that row's id. Opaque to the caller.
 */
const Cursor = z.tuple([z.string(), z.string()])
export type Cursor = z.infer<typeof Cursor>

export function writeCursor(sortKey: string, id: string): string {
  return Buffer.from(JSON.stringify([sortKey, id])).toString('base64url')
}

/**
 * Reads a cursor; null when it is invalid.
 * @param sortKey the schema of this list's sort key, so that a cursor of another list is refused
 */
export function readCursor(text: string, sortKey: z.ZodMiniType<string>): Cursor | null {
  try {
    const parsed = Cursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    return parsed.success && sortKey.safeParse(parsed.data[0]).success ? parsed.data : null
  } catch {
    return null
  }
}

/**
 * Cuts a list that was read with one row more than the page size, and makes the cursor of the next
 * page.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  pageSize: number,
  cursorOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    rows: shown,
    nextCursor: rows.length > pageSize && last !== undefined ? cursorOf(last) : null,
  }
}
