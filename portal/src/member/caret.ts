// A phone field groups digits while the clerk types; these functions keep the caret and deletions
// correct.

/** The digits of a number, with a leading plus. */
export function ungrouped(text: string): string {
  return text.replace(/[^\d+]/g, '')
}

/**
 * Corrects a deletion: if only a grouping character was deleted, as the `)` of `(555)`, the digit
 * before it is deleted too. Otherwise grouping would add the character again.
 */
export function resolveDeletion(before: string, after: string): string {
  const onlyMark = after.length < before.length && ungrouped(after) === ungrouped(before)
  return onlyMark && before.startsWith(after) ? ungrouped(after).slice(0, -1) : after
}

/** The caret position in the grouped text that has as many digits before it. */
export function caretAfterDigits(grouped: string, digits: number): number {
  let seen = 0
  for (const [at, character] of Array.from(grouped).entries()) {
    if (seen === digits) return at
    if (/[\d+]/.test(character)) seen += 1
  }
  return grouped.length
}

/** The number of digits before the caret. */
export function digitsBefore(text: string, caret: number): number {
  return ungrouped(text.slice(0, caret)).length
}
