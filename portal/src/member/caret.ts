// Grouping rewrites a number while it is typed; these keep what the clerk meant.

/** The digits of a number, with the plus that begins it. */
export function ungrouped(text: string): string {
  return text.replace(/[^\d+]/g, '')
}

/**
 * What is meant when the field changes: deleting the mark that grouping has put behind the last
 * digit, as in `(555)`, means that digit, or the mark would come back for ever.
 */
export function resolveDeletion(before: string, after: string): string {
  const onlyMark = after.length < before.length && ungrouped(after) === ungrouped(before)
  return onlyMark && before.startsWith(after) ? ungrouped(after).slice(0, -1) : after
}

/** Where the caret belongs after the digits were grouped anew: behind as many of them as before. */
export function caretAfterDigits(grouped: string, digits: number): number {
  let seen = 0
  for (const [at, character] of Array.from(grouped).entries()) {
    if (seen === digits) return at
    if (/[\d+]/.test(character)) seen += 1
  }
  return grouped.length
}

/** How many digits stand before the caret. */
export function digitsBefore(text: string, caret: number): number {
  return ungrouped(text.slice(0, caret)).length
}
