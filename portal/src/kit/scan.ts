import { useEffect, useRef } from 'react'

/** Measured scanners send a key every 7 to 16 ms; no hand is as fast for six keys in a row. */
const gap = 35
const shortest = 6

export type Key = { code: string; shift: boolean; at: number }
type Heard = 'nothing' | 'burst' | { scanned: string }

/**
 * Tells a scanner from a hand by its speed. It reads the keys by their place on a US keyboard: an
 * input method would swallow the letters. Times are in ms on one clock.
 */
export function scanner(): (key: Key) => Heard {
  let text = ''
  let last = Number.NEGATIVE_INFINITY
  return ({ code, shift, at }) => {
    const goesOn = at - last <= gap
    last = at
    if (code === 'Enter' || code === 'NumpadEnter' || code === 'Tab') {
      const scanned = goesOn && text.length >= shortest ? text : ''
      text = ''
      return scanned === '' ? 'nothing' : { scanned }
    }
    const typed = character(code, shift)
    if (typed === '') return goesOn && text !== '' ? 'burst' : 'nothing'
    const follows = goesOn && text !== ''
    text = follows ? text + typed : typed
    return follows ? 'burst' : 'nothing'
  }
}

/** What a US keyboard writes with that key, as far as codes need it. */
function character(code: string, shift: boolean): string {
  const [, letter, digit] = /^(?:Key([A-Z])|(?:Digit|Numpad)(\d))$/.exec(code) ?? []
  if (letter !== undefined) return shift ? letter : letter.toLowerCase()
  if (digit !== undefined) return digit
  if (code === 'Minus' || code === 'NumpadSubtract') return shift ? '_' : '-'
  return code === 'Space' ? ' ' : ''
}

/** Hears a scanner while no field has the focus and nothing lies over the page. */
export function useScan(onScan: (text: string) => void): void {
  const tell = useRef(onScan)
  useEffect(() => {
    tell.current = onScan
  })
  useEffect(() => {
    const hear = scanner()
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isElsewhere(event.target)) return
      const heard = hear({ code: event.code, shift: event.shiftKey, at: event.timeStamp })
      if (heard === 'nothing') return
      // Else its spaces and its Enter would press whatever has the focus.
      event.preventDefault()
      event.stopPropagation()
      if (heard !== 'burst') tell.current(heard.scanned)
    }
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [])
}

const takesText =
  'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button])'

function isElsewhere(target: EventTarget | null): boolean {
  const isField = target instanceof Element && target.matches(takesText)
  return isField || document.querySelector('[role=dialog]') !== null
}
