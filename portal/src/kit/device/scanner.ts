import { type Layout, usLayout } from './keyboard.ts'

/** Measured scanners send a key every 7 to 16 ms; no hand is as fast for six keys in a row. */
const maxGapMs = 35
const minLength = 6

export type Key = {
  /** The key's place; empty where the system does not tell it. */
  code: string
  key: string
  shift: boolean
  /** It is held down. */
  repeat: boolean
  /** In ms, on one clock. */
  at: number
}

/** `first`: may begin a scan, as any key may; `burst`: follows so fast that no hand pressed it. */
type KeyResult = 'nothing' | 'first' | 'burst' | { scanned: string }

/**
 * Tells a scanner from a hand by its speed. It reads the keys by their place: an input method would
 * swallow the letters, and the lock of the capitals would turn them round.
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
      // The shift that a scanner presses for a capital is part of its speed, and writes nothing.
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
    /** What was scanned when no more keys come, or nothing. */
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
