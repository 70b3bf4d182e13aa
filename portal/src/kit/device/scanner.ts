import { type Layout, usLayout } from './keyboard.ts'

/** Scanners were measured to send a key every 7 to 16 ms; no person types six keys that fast. */
const maxGapMs = 35
const minLength = 6

export type Key = {
  /** The key's position; empty if the system does not report it. */
  code: string
  key: string
  shift: boolean
  /** The key is held down. */
  repeat: boolean
  /** In ms, all on the same clock. */
  at: number
}

/** `first`: may begin a scan, as any key may; `burst`: follows faster than a hand can type. */
type KeyResult = 'nothing' | 'first' | 'burst' | { scanned: string }

/**
 * Distinguishes a scanner from a hand by its speed. It reads keys by their position, because an
 * input method would swallow the letters, and caps lock would change their case.
 */
export function scanner(layout: Layout = usLayout) {
  let text = ''
  let last = Number.NEGATIVE_INFINITY
  const take = () => {
    const scanned = text.length >= minLength ? text : ''
    text = ''
    return scanned
  }
  return {
    press({ code, key, shift, repeat, at }: Key): KeyResult {
      // A scanner presses shift for capitals: this counts for the speed, but types nothing.
      if (/^Shift|^CapsLock/.test(code) || key === 'Shift') {
        if (at - last <= maxGapMs) last = at
        return 'nothing'
      }
      const follows = at - last <= maxGapMs && text !== ''
      last = at
      if (isEndKey(code, key)) {
        const scanned = follows ? take() : ''
        text = ''
        return scanned === '' ? 'nothing' : { scanned }
      }
      const typed = repeat ? '' : characterOf(code, key, shift, layout)
      text = follows && typed !== '' ? text + typed : typed
      if (typed === '') return 'nothing'
      return follows ? 'burst' : 'first'
    },
    /** The scanned text when no more keys follow, or an empty string. */
    rest: take,
  }
}

function isEndKey(code: string, key: string): boolean {
  return /^(?:Enter|NumpadEnter|Tab)$/.test(code || key)
}

function characterOf(code: string, key: string, shift: boolean, layout: Layout): string {
  if (code === '') return key.length === 1 ? key : ''
  return layout.get(code)?.[shift ? 1 : 0] ?? ''
}
