/** More than twice the depth of any message of the API. */
const maxLevels = 32

/**
 * Whether a JSON text is nested deeper than `maxLevels`. It is checked before parsing, because
 * functions that walk the parsed value, such as `JSON.stringify`, would overflow the stack.
 */
export function isTooDeep(text: string): boolean {
  let level = 0
  let quoted = false
  for (let n = 0; n < text.length; n++) {
    const character = text.charCodeAt(n)
    if (quoted) {
      if (character === backslash) n++
      else if (character === quote) quoted = false
    } else if (character === quote) quoted = true
    else if (opens(character)) level += 1
    else if (closes(character)) level -= 1
    if (level > maxLevels) return true
  }
  return false
}

const [quote, backslash] = [0x22, 0x5c]
const opens = (character: number): boolean => character === 0x5b || character === 0x7b
const closes = (character: number): boolean => character === 0x5d || character === 0x7d
