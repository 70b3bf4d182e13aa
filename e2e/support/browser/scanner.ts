import type { Page } from '@playwright/test'

// A keyboard-wedge scanner: trusted keys at the intervals of a real one, however busy the machine
// of the tests is.

const marks: Record<string, [string, boolean]> = {
  '-': ['Minus', false],
  _: ['Minus', true],
  '=': ['Equal', false],
  '+': ['Equal', true],
  '{': ['BracketLeft', true],
  '}': ['BracketRight', true],
  ':': ['Semicolon', true],
  '"': ['Quote', true],
  ',': ['Comma', false],
  '.': ['Period', false],
  '/': ['Slash', false],
  '?': ['Slash', true],
  '@': ['Digit2', true],
  '%': ['Digit5', true],
  '&': ['Digit7', true],
  ' ': ['Space', false],
}
const shiftBit = 8

function keyOf(character: string): { code: string; shift: boolean } {
  if (/[a-z]/i.test(character)) {
    return { code: `Key${character.toUpperCase()}`, shift: /[A-Z]/.test(character) }
  }
  if (/\d/.test(character)) return { code: `Digit${character}`, shift: false }
  const [code, shift] = marks[character] ?? ['', false]
  if (code === '') throw new Error(`no scanner of these tests writes ${character}`)
  return { code, shift }
}

type Options = {
  /** Between two keys. */
  gapMs?: number
  /** The last key of a scan, if any. */
  end?: 'Enter' | 'Tab' | null
  /** A Chinese input method is on: it takes the letters for itself. */
  inputMethod?: boolean
}

/** Scans a text into the focused element. */
export async function scan(
  page: Page,
  text: string,
  { gapMs = 10, end = 'Enter', inputMethod = false }: Options = {},
): Promise<void> {
  if (page.context().browser()?.browserType().name() === 'firefox') {
    await scanByKeys(page, text, gapMs, end)
    return
  }
  const session = await page.context().newCDPSession(page)
  const clock = await page.evaluateHandle(holdClock, null)
  const begin = Date.now() / 1000
  const sent: Promise<unknown>[] = []
  const press = (
    key: string,
    code: string,
    modifiers: number,
    keyCode: number,
    written: string,
  ) => {
    const timestamp = begin + (sent.length / 2) * (gapMs / 1000)
    const common = { key, code, modifiers, timestamp, windowsVirtualKeyCode: keyCode }
    const down = written === '' ? 'rawKeyDown' : 'keyDown'
    // Sent together: the time on the wire is not part of the scanner's time.
    sent.push(session.send('Input.dispatchKeyEvent', { ...common, type: down, text: written }))
    sent.push(session.send('Input.dispatchKeyEvent', { ...common, type: 'keyUp' }))
  }
  for (const [n, character] of Array.from(text).entries()) {
    const { code, shift } = keyOf(character)
    const modifiers = shift ? shiftBit : 0
    if (inputMethod && /[a-z]/i.test(character)) {
      press('Process', code, modifiers, 229, '')
      const selection = { selectionStart: n + 1, selectionEnd: n + 1 }
      sent.push(
        session.send('Input.imeSetComposition', { text: text.slice(0, n + 1), ...selection }),
      )
      sent.push(Promise.resolve())
    } else press(character, code, modifiers, character.charCodeAt(0), character)
  }
  if (end === 'Enter') press('Enter', 'Enter', 0, 13, '\r')
  if (end === 'Tab') press('Tab', 'Tab', 0, 9, '')
  await Promise.all(sent)
  await clock.evaluate(({ go }) => go())
  await session.detach()
}

/**
 * The same in Firefox, whose driver sends no times: the page reads the scanner's times instead.
 * Firefox's driver cannot imitate an input method.
 */
async function scanByKeys(page: Page, text: string, gapMs: number, end: string | null) {
  const clock = await page.evaluateHandle(holdClock, gapMs)
  const { keyboard } = page
  const sent: Promise<void>[] = []
  for (const character of text) {
    const { code, shift } = keyOf(character)
    if (shift) sent.push(keyboard.down('Shift'))
    sent.push(keyboard.down(code), keyboard.up(code))
    if (shift) sent.push(keyboard.up('Shift'))
  }
  if (end !== null) sent.push(keyboard.down(end), keyboard.up(end))
  await Promise.all(sent)
  await clock.evaluate(({ go }) => go())
}

/**
 * Holds the page's timers until `go`, because on a busy machine the keys of a scan arrive seconds
 * apart.
 * @param gap if given, the page reads times of the keys that are so many milliseconds apart
 */
function holdClock(gap: number | null): { go: () => void } {
  const times = new WeakMap<Event, number>()
  let last = performance.now()
  const timeStamp = {
    configurable: true,
    get(this: KeyboardEvent) {
      if (this.type !== 'keydown' || this.key === 'Shift') return last
      const time = times.get(this) ?? (last += gap ?? 0)
      times.set(this, time)
      return time
    },
  }
  if (gap !== null) Object.defineProperty(KeyboardEvent.prototype, 'timeStamp', timeStamp)
  const [begin, end] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
  const due = new Map<number, () => void>()
  let isHeld = true
  const beginHeld = (run: () => void, ms?: number): number => {
    const timer = begin(() => (isHeld ? due.set(timer, run) : run()), ms)
    return timer
  }
  const endHeld = (timer?: number): void => {
    if (timer !== undefined) due.delete(timer)
    end(timer)
  }
  Object.assign(window, { setTimeout: beginHeld, clearTimeout: endHeld })
  return {
    go() {
      Reflect.deleteProperty(KeyboardEvent.prototype, 'timeStamp')
      Object.assign(window, { setTimeout: begin })
      isHeld = false
      for (const run of due.values()) run()
    },
  }
}
