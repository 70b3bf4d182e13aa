// The characters of a US keyboard by key position. Barcode scanners act as keyboards, and nearly
// all are delivered with this layout.

/** The characters of a key, without and with shift; undefined if it types none. */
export type Layout = ReadonlyMap<string, readonly [string, string]>

const marks: [string, string, string][] = [
  ['Minus', '-', '_'],
  ['Equal', '=', '+'],
  ['BracketLeft', '[', '{'],
  ['BracketRight', ']', '}'],
  ['Backslash', '\\', '|'],
  ['Semicolon', ';', ':'],
  ['Quote', "'", '"'],
  ['Comma', ',', '<'],
  ['Period', '.', '>'],
  ['Slash', '/', '?'],
  ['Backquote', '`', '~'],
  ['Space', ' ', ' '],
  ['NumpadAdd', '+', '+'],
  ['NumpadSubtract', '-', '-'],
  ['NumpadMultiply', '*', '*'],
  ['NumpadDivide', '/', '/'],
  ['NumpadDecimal', '.', '.'],
]

export const usLayout: Layout = new Map([
  ...marks.map(([code, plain, shifted]): [string, [string, string]] => [code, [plain, shifted]]),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter): [string, [string, string]] => {
    return [`Key${letter.toUpperCase()}`, [letter, letter.toUpperCase()]]
  }),
  ...Array.from(')!@#$%^&*(', (mark, digit): [string, [string, string]] => {
    return [`Digit${digit}`, [`${digit}`, mark]]
  }),
  ...Array.from('0123456789', (digit): [string, [string, string]] => {
    return [`Numpad${digit}`, [digit, digit]]
  }),
])
