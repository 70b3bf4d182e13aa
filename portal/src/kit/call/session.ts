import { LoginInfo } from '@tillside/contract/auth'
import * as z from 'zod/mini'
import { isLive, keptName } from '../store/kept.ts'
import { deviceStorage, tabStorage } from '../store/storage.ts'
import { createStore, useStore } from '../store/store.ts'

// A device is used for one company at a time. The names of stored values still contain the
// identifier, so that a page never reads a value of another company.

const current = createStore<LoginInfo | null>(null)
let identifier: string | null = null
let storageKey: string | null = null

/** The clerk's session with the company that the address names. */
export const session = {
  get: current.get,
  watch: current.watch,

  /**
   * Loads the company's session from this device.
   * @returns false if the stored session had expired
   */
  use(company: string): boolean {
    identifier = company
    storageKey = session.keyOf('session')
    const kept = parse(deviceStorage.getItem(storageKey))
    if (kept !== null && !isLive(kept)) {
      session.close()
      return false
    }
    current.set(kept)
    return true
  },

  /** The storage name of a value that belongs to the current company. */
  keyOf: (name: string) => keptName(identifier ?? '', name),

  open(info: LoginInfo): void {
    if (storageKey !== null) deviceStorage.setItem(storageKey, JSON.stringify(info))
    current.set(info)
  },

  /** Ends the session on this device. Modules that keep member data watch this and clear it. */
  close(): void {
    if (storageKey !== null) deviceStorage.removeItem(storageKey)
    current.set(null)
  },

  token(): string | null {
    const info = current.get()
    return isLive(info) ? info.token : null
  },
}

/** The live sessions of other companies on this device. */
export function sessionsOfOthers(): { identifier: string; info: LoginInfo }[] {
  const own = session.keyOf('session')
  return deviceStorage.names().flatMap((name) => {
    const other = /^tillside:([^:]+):session$/.exec(name)?.[1]
    const info = parse(deviceStorage.getItem(name))
    return other !== undefined && name !== own && isLive(info) ? [{ identifier: other, info }] : []
  })
}

/**
 * Removes from this device what is stored for other companies: sessions, permissions, search
 * history, unanswered requests.
 * @returns the removed sessions, which the caller ends on the server
 */
export function removeOtherCompanies(): LoginInfo[] {
  const own = session.keyOf('')
  // Names without a second colon belong to the device, not to a company.
  const others = deviceStorage
    .names()
    .filter((name) => /^tillside:[^:]+:/.test(name) && !name.startsWith(own))
  const ended = others
    .filter((name) => name.endsWith(':session'))
    .flatMap((name) => parse(deviceStorage.getItem(name)) ?? [])
  for (const name of others) deviceStorage.removeItem(name)
  for (const name of tabStorage.names()) if (!name.includes(own)) tabStorage.removeItem(name)
  return ended
}

/** The session of the current clerk, with their store, or null. */
export function useSession(): LoginInfo | null {
  return useStore(current)
}

function readFromStorage(): void {
  const kept = parse(deviceStorage.getItem(storageKey ?? ''))
  if (kept?.token === current.get()?.token) return
  if (kept === null) current.set(null)
  else location.reload()
}

/**
 * A logout in another tab also ends the session here. A login there reloads this page for its
 * clerk.
 */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    // Null means that the whole storage was cleared.
    if (key === storageKey || key === null) readFromStorage()
  })
  // A page in the back-forward cache receives no storage events.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) readFromStorage()
  })
}

const checkIntervalMs = 5000

/** Calls `onExpired` when the session expires while the page is open. */
export function watchExpiry(onExpired: () => void): void {
  function check(): void {
    const info = current.get()
    if (info !== null && !isLive(info)) onExpired()
  }
  // Compares with the clock, because a long timer stops while the device sleeps.
  setInterval(check, checkIntervalMs)
  document.addEventListener('visibilitychange', check)
}

function parse(text: string | null): LoginInfo | null {
  if (text === null) return null
  try {
    const parsed = z.safeParse(LoginInfo, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
