import { useEffect, useRef } from 'react'
import { type Layout, usLayout } from './keyboard.ts'
import { scanner } from './scanner.ts'
import { createStore } from '../store/store.ts'

/**
 * One who does something with what was scanned. `next` asks the one behind, who takes what this one
 * cannot read.
 * @returns whether it was read
 */
export type ScanHandler = (text: string, next: () => Promise<boolean>) => boolean | Promise<boolean>

/** The page is asked before those who hear on every page. */
type ScanScope = 'page' | 'everywhere'

type HandlerEntry = { place: ScanScope; hear: ScanHandler }
const handlers: HandlerEntry[] = []

/** How often something was scanned since the portal was opened; watched to show that it was. */
export const scanCount = createStore(0)

/** The last scan that nobody could read; watched to say so. */
export const unreadScan = createStore<{ text: string } | null>(null)

/** Says what a scanner or a camera has read to whoever is meant by it. */
export async function dispatchScan(text: string): Promise<void> {
  scanCount.set(scanCount.get() + 1)
  navigator.vibrate?.(20)
  const ordered = [
    ...handlers.filter(({ place }) => place === 'page').toReversed(),
    ...handlers.filter(({ place }) => place === 'everywhere'),
  ]
  const ask = async (at: number): Promise<boolean> => {
    const one = ordered[at]
    return one === undefined ? false : one.hear(text, () => ask(at + 1))
  }
  if (!(await ask(0))) unreadScan.set({ text })
}

/** Hears a scanner wherever the focus is, for as long as the component stands. */
export function useScan(hear: ScanHandler, place: ScanScope = 'page'): void {
  const latest = useRef(hear)
  useEffect(() => {
    latest.current = hear
  })
  useEffect(() => {
    const own: HandlerEntry = { place, hear: (text, next) => latest.current(text, next) }
    if (handlers.length === 0) startListening()
    handlers.push(own)
    return () => {
      handlers.splice(handlers.indexOf(own), 1)
      if (handlers.length === 0) stopListening()
    }
  }, [place])
}

let stop: (() => void) | null = null

function stopListening() {
  stop?.()
  stop = null
}

/**
 * A scan without an Enter is over after this long; ms. Longer than the 80 of ux.md 2.0: a cheap
 * tablet that is busy for a moment would cut a scan in two, and two halves are nobody.
 */
const scanEndMs = 200

function startListening(layout: Layout = usLayout) {
  const hear = scanner(layout)
  let before: RestorableField | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const finish = (text: string) => {
    clearTimeout(timer)
    before?.restore()
    void dispatchScan(text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isSecret(event.target)) return
    clearTimeout(timer)
    const { code, key, shiftKey: shift, repeat, timeStamp: at } = event
    const result = hear.press({ code, key, shift, repeat, at })
    if (result === 'first') before = restorable(event.target)
    if (typeof result !== 'string') {
      // Its Enter submits no form and presses no button.
      event.preventDefault()
      event.stopPropagation()
      finish(result.scanned)
    } else if (result === 'burst') {
      if (event.isComposing || event.keyCode === 229) before?.composed()
      // Else its spaces would press whatever has the focus.
      if (before === null) {
        event.preventDefault()
        event.stopPropagation()
      }
      // What a form's field was given by a quick hand or a tool is not taken away for a pause.
      if (before === null || before.acceptsScans) {
        timer = setTimeout(() => {
          const text = hear.rest()
          if (text !== '') finish(text)
        }, scanEndMs)
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
type RestorableField = { acceptsScans: boolean; composed: () => void; restore: () => void }

const textFields =
  'textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=submit])'

/** The mark of fields that a scan is meant for. */
export const takesScans = { 'data-scan': '' }

function restorable(target: EventTarget | null): RestorableField | null {
  if (!(target instanceof Element) || !target.matches(textFields)) return null
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  if (!isField) return null
  const { value } = target
  let isComposed = false
  return {
    acceptsScans: target.matches('[data-scan]'),
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
