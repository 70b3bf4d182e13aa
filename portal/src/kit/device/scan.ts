import { useEffect, useRef } from 'react'
import { type Layout, usLayout } from './keyboard.ts'
import { scanner } from './scanner.ts'
import { createStore } from '../store/store.ts'

/**
 * One who does something with what was scanned. `next` asks the one behind, who takes what this one
 * cannot read.
 * @returns whether it was read
 */
export type Hearer = (text: string, next: () => Promise<boolean>) => boolean | Promise<boolean>

/** The page is asked before those who hear on every page. */
type Place = 'page' | 'everywhere'

type Listening = { place: Place; hear: Hearer }
const listening: Listening[] = []

/** How often something was scanned since the portal was opened; watched to show that it was. */
export const scansHeard = createStore(0)

/** The last scan that nobody could read; watched to say so. */
export const scanUnread = createStore<{ text: string } | null>(null)

/** Says what a scanner or a camera has read to whoever is meant by it. */
export async function tellScan(text: string): Promise<void> {
  scansHeard.set(scansHeard.get() + 1)
  navigator.vibrate?.(20)
  const inTurn = [
    ...listening.filter(({ place }) => place === 'page').toReversed(),
    ...listening.filter(({ place }) => place === 'everywhere'),
  ]
  const ask = async (at: number): Promise<boolean> => {
    const one = inTurn[at]
    return one === undefined ? false : one.hear(text, () => ask(at + 1))
  }
  if (!(await ask(0))) scanUnread.set({ text })
}

/** Hears a scanner wherever the focus is, for as long as the component stands. */
export function useScan(hear: Hearer, place: Place = 'page'): void {
  const latest = useRef(hear)
  useEffect(() => {
    latest.current = hear
  })
  useEffect(() => {
    const own: Listening = { place, hear: (text, next) => latest.current(text, next) }
    if (listening.length === 0) begin()
    listening.push(own)
    return () => {
      listening.splice(listening.indexOf(own), 1)
      if (listening.length === 0) end()
    }
  }, [place])
}

let stop: (() => void) | null = null

function end() {
  stop?.()
  stop = null
}

/**
 * A scan without an Enter is over after this long; ms. Longer than the 80 of ux.md 2.0: a cheap
 * tablet that is busy for a moment would cut a scan in two, and two halves are nobody.
 */
const silence = 200

function begin(layout: Layout = usLayout) {
  const hear = scanner(layout)
  let before: Restorable | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const finish = (text: string) => {
    clearTimeout(timer)
    before?.restore()
    void tellScan(text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isSecret(event.target)) return
    clearTimeout(timer)
    const { code, key, shiftKey: shift, repeat, timeStamp: at } = event
    const heard = hear.press({ code, key, shift, repeat, at })
    if (heard === 'first') before = restorable(event.target)
    if (typeof heard !== 'string') {
      // Its Enter submits no form and presses no button.
      event.preventDefault()
      event.stopPropagation()
      finish(heard.scanned)
    } else if (heard === 'burst') {
      if (event.isComposing || event.keyCode === 229) before?.composed()
      // Else its spaces would press whatever has the focus.
      if (before === null) {
        event.preventDefault()
        event.stopPropagation()
      }
      // What a form's field was given by a quick hand or a tool is not taken away for a pause.
      if (before === null || before.takesScans) {
        timer = setTimeout(() => {
          const text = hear.rest()
          if (text !== '') finish(text)
        }, silence)
      }
    }
  }
  addEventListener('keydown', press, { capture: true })
  stop = () => {
    clearTimeout(timer)
    removeEventListener('keydown', press, { capture: true })
  }
}

/** A field with what stood in it before the scanner wrote there. */
type Restorable = { takesScans: boolean; composed: () => void; restore: () => void }

const takesText =
  'textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=submit])'

/** The mark of fields that a scan is meant for. */
export const takesScans = { 'data-scan': '' }

function restorable(target: EventTarget | null): Restorable | null {
  if (!(target instanceof Element) || !target.matches(takesText)) return null
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  if (!isField) return null
  const { value } = target
  let isComposed = false
  return {
    takesScans: target.matches('[data-scan]'),
    composed: () => {
      isComposed = true
    },
    restore: () => {
      if (isComposed) {
        // Only a field that loses the focus ends what an input method has begun.
        target.blur()
        target.focus({ preventScroll: true })
      }
      // React watches the element's own setter, and would take the value for known.
      Reflect.set(Object.getPrototypeOf(target), 'value', value, target)
      target.dispatchEvent(new Event('input', { bubbles: true }))
      target.dispatchEvent(new Event('change', { bubbles: true }))
    },
  }
}

/** A password that a key or a program types is as quick as a scanner. */
function isSecret(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[type=password]')
}
