/** What a key of the keypad makes of a text in which a part, or nothing, is chosen. */
export function applyKey(
  text: string,
  [start, end]: readonly [number, number],
  key: string,
): { text: string; caret: number } {
  const from = key === 'delete' && start === end ? Math.max(0, start - 1) : start
  const added = key === 'delete' ? '' : key
  return { text: text.slice(0, from) + added + text.slice(end), caret: from + added.length }
}
