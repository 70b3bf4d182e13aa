/** Nothing on the wire is nested so deep by half. */
const mostLevels = 32

/**
 * Whether a text of JSON is nested deeper than anything on the wire. It is looked at before it is
 * read: programs that walk what was read, such as `JSON.stringify`, run out of stack in it.
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
    if (level > mostLevels) return true
  }
  return false
}

const [quote, backslash] = [0x22, 0x5c]
const opens = (character: number): boolean => character === 0x5b || character === 0x7b
const closes = (character: number): boolean => character === 0x5d || character === 0x7d
