/** One page of a list. */
export type Page<T> = { items: T[]; next: string | null }

/**
 * All items of a list, page by page.
 * @param read reads the page after a cursor; the first one without a cursor
 * @throws what `read` throws
 */
export async function* pages<T>(
  read: (after: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let after: string | undefined
  do {
    const { items, next } = await read(after)
    yield* items
    after = next ?? undefined
  } while (after !== undefined)
}
