import * as z from 'zod/mini'
import { session } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'

// After "Next customer", Back must not show the former customer. The browser's history cannot be
// emptied, so the entries with a customer's data are remembered by their keys, without any data.

type Name = 'history-seen' | 'history-left'

/** The browser keeps about 50 entries of a tab. */
const most = 100

const read = (name: Name): string[] => (tabStorage.getItem(session.keyOf(name)) ?? '').split(' ')

const write = (name: Name, keys: readonly string[]) =>
  tabStorage.setItem(session.keyOf(name), keys.join(' '))

function add(name: Name, keys: readonly string[]): void {
  const all = new Set([...read(name), ...keys])
  write(name, [...all].slice(-most))
}

/** Remembers an entry of the browser's history that shows a customer. */
export function seeCustomer(key: string): void {
  add('history-seen', [key])
}

/**
 * Marks all customers seen so far as former ones.
 * @returns undoes this, for a page that stays open because of unsaved input
 */
export function leaveCustomers(): () => void {
  const [seen, left] = [read('history-seen'), read('history-left')]
  add('history-left', seen)
  write('history-seen', [])
  return () => {
    write('history-seen', seen)
    write('history-left', left)
  }
}

/** Whether this entry of the browser's history shows a former customer. */
export function isFormerCustomer(key: string): boolean {
  return read('history-left').includes(key)
}

/** The time after which no Back is under way any more; in ms. */
const settledMs = 300

/**
 * Gives the entries of former customers another address as soon as Back or Forward reaches them.
 * Chromium puts the former address back, without an event, when a second Back to the same entry was
 * under way. So the address is read once more after a moment.
 * @param search the address of the empty search
 */
export function hideFormerCustomers(search: string): void {
  const hide = () => {
    const entry = z.safeParse(Entry, history.state)
    if (!entry.success || !isFormerCustomer(entry.data.__TSR_key)) return
    if (location.pathname + location.search === search) return
    // Not by the router, which has its own function in this place and would load the page twice.
    History.prototype.replaceState.call(history, history.state, '', search)
  }
  const reach = () => {
    hide()
    setTimeout(hide, settledMs)
  }
  addEventListener('popstate', reach, { capture: true })
}

/** An entry that the router has made. */
const Entry = z.object({ __TSR_key: z.string() })
