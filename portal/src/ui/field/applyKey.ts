/** The text after a key of the keypad; the key replaces the selected part, if there is one. */
export function applyKey(
  text: string,
  [start, end]: readonly [number, number],
  key: string,
): { text: string; caret: number } {
  const from = key === 'delete' && start === end ? Math.max(0, start - 1) : start
  const added = key === 'delete' ? '' : key
  return { text: text.slice(0, from) + added + text.slice(end), caret: from + added.length }
}
