import { expect, test } from 'vitest'
import { usLayout } from './keyboard.ts'
import { scanner } from './scanner.ts'

const keys = new Map(
  [...usLayout].flatMap(([code, pair]) => pair.map((one, n) => [one, { code, n }])),
)

/** Presses the keys of a text with the given gap in ms, and returns the result of each. */
function press(text: string, gap: number, end = 'Enter', hear = scanner(), begin = 0) {
  return [...Array.from(text), end].map((one, index) => {
    const { code, n } = keys.get(one) ?? { code: one, n: 0 }
    const at = begin + index * gap
    return hear.press({ code, key: 'Process', shift: n === 1, repeat: false, at })
  })
}

test.each([
  ['a coupon code', '2R0Q0RNCVWVM', 10, 'Enter'],
  ['one in groups', '2R0Q 0RNC-VWVM', 35, 'Tab'],
  ['an address', 'https://shop.example/m?code=HAR10001&x=%7E', 12, 'Enter'],
  ['JSON', '{"cardNumber":"6200000030001"}', 12, 'NumpadEnter'],
  ['an e-mail', 'Grace.Lee+shop@example.com', 12, 'Enter'],
])('%s at the speed of a scanner is read completely', (_case, text, gap, end) => {
  const heard = press(text, gap, end)
  expect(heard.at(-1)).toEqual({ scanned: text })
  expect(heard[0]).toBe('first')
  expect(new Set(heard.slice(1, -1))).toEqual(new Set(['burst']))
})

test.each([
  ['at the speed of a hand', '2R0Q0RNCVWVM', 36],
  ['too short for a code', '12345', 10],
  ['nothing but an Enter', '', 10],
])('%s is not a scan', (_case, text, gap) => {
  expect(press(text, gap).at(-1)).toBe('nothing')
})

test('keys typed by hand before the scan are not part of it', () => {
  const hear = scanner()
  press('AB', 200, 'KeyC', hear)
  expect(press('123456', 10, 'Enter', hear, 2000).at(-1)).toEqual({ scanned: '123456' })
})

test('each scan starts empty', () => {
  const hear = scanner()
  press('123456', 10, 'Enter', hear)
  expect(press('654321', 10, 'Enter', hear, 500).at(-1)).toEqual({ scanned: '654321' })
})

test('without an Enter, the scan ends with a pause', () => {
  const hear = scanner()
  press('62000000', 10, '1', hear)
  expect(hear.rest()).toBe('620000001')
  expect(hear.rest()).toBe('')
})

test('repeated and deleting keys are not a scan', () => {
  const hear = scanner()
  for (let n = 0; n < 20; n++) {
    hear.press({ code: 'Digit1', key: '1', shift: false, repeat: n > 0, at: n * 30 })
  }
  expect(hear.rest()).toBe('')
  press('123', 10, 'Backspace', hear, 2000)
  expect(press('456', 10, 'Enter', hear, 2040).at(-1)).toBe('nothing')
})

test('shift before a capital is part of the scan, on any layout', () => {
  const hear = scanner()
  const shift = { code: 'ShiftLeft', key: 'Shift', shift: true, repeat: false }
  const letters = Array.from('HAR10001')
  for (const [n, letter] of letters.entries()) {
    const isLetter = /[A-Z]/.test(letter)
    if (isLetter) hear.press({ ...shift, at: n * 40 })
    const code = keys.get(letter)?.code ?? ''
    hear.press({ code, key: '', shift: isLetter, repeat: false, at: n * 40 + 20 })
    hear.press({ ...shift, at: n * 40 + 30 })
  }
  expect(hear.press({ code: 'Enter', key: 'Enter', shift: false, repeat: false, at: 330 })).toEqual(
    {
      scanned: 'HAR10001',
    },
  )
})

test('without a key position, the typed character is used', () => {
  const hear = scanner()
  for (const [n, key] of Array.from('HAR10001').entries()) {
    hear.press({ code: '', key, shift: false, repeat: false, at: n * 10 })
  }
  expect(hear.press({ code: '', key: 'Enter', shift: false, repeat: false, at: 80 })).toEqual({
    scanned: 'HAR10001',
  })
})
