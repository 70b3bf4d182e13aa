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
