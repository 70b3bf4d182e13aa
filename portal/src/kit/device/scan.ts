import { useEffect, useRef } from 'react'
import { type Layout, usLayout } from './keyboard.ts'
import { scanner } from './scanner.ts'
import { createStore } from '../store/store.ts'

/**
 * Handles a scanned text. `next` passes the text on to the following handler.
 * @returns whether the text was handled
 */
export type ScanHandler = (text: string, next: () => Promise<boolean>) => boolean | Promise<boolean>

/**
 * The handlers of the page are called before those that are active on every page; before both, one
 * for texts that mean the same everywhere.
 */
type ScanScope = 'first' | 'page' | 'everywhere'

type HandlerEntry = { place: ScanScope; hear: ScanHandler }
const handlers: HandlerEntry[] = []

/** The number of scans since the portal was opened; watched to show each scan. */
export const scanCount = createStore(0)

/** The last scan that no handler accepted; watched to report it. */
export const unreadScan = createStore<{ text: string } | null>(null)

/** Passes a scanned text to the handlers, from hardware scanner or camera. */
export async function dispatchScan(text: string): Promise<void> {
  scanCount.set(scanCount.get() + 1)
  navigator.vibrate?.(20)
  const ordered = [
    ...handlers.filter(({ place }) => place === 'first'),
    ...handlers.filter(({ place }) => place === 'page').toReversed(),
    ...handlers.filter(({ place }) => place === 'everywhere'),
  ]
  const ask = async (at: number): Promise<boolean> => {
    const one = ordered[at]
    return one === undefined ? false : one.hear(text, () => ask(at + 1))
  }
  if (!(await ask(0))) unreadScan.set({ text })
}

/** Receives scans while the component is mounted, wherever the focus is. */
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
 * A scan without an Enter ends after this pause; in ms. A shorter pause would cut a scan in two on
 * a slow tablet that is busy, and both halves would be unreadable.
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
      // The scan's Enter must submit no form and press no button.
      event.preventDefault()
      event.stopPropagation()
      finish(result.scanned)
    } else if (result === 'burst') {
      if (event.isComposing || event.keyCode === 229) before?.composed()
      // Otherwise a space in the scan would press the focused button.
      if (before === null) {
        event.preventDefault()
        event.stopPropagation()
      }
      // In an ordinary form field, fast typing or a password manager must not be taken for a scan
      // without Enter.
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

/** A field and its value before the scanner typed into it. */
type RestorableField = { acceptsScans: boolean; composed: () => void; restore: () => void }

const textFields =
  'textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=submit])'

/** Attribute of fields that are meant for scans. */
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
        // Only losing the focus ends the composition of an input method.
        target.blur()
        target.focus({ preventScroll: true })
      }
      target.value = value
      target.dispatchEvent(new Event('input', { bubbles: true }))
      target.dispatchEvent(new Event('change', { bubbles: true }))
    },
  }
}

/** Never treats a password as a scan: password managers type as fast as a scanner. */
function isSecret(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[type=password]')
}
