import { LoginInfo } from '@tillside/contract/auth'
import * as z from 'zod/mini'
import { deviceStorage } from '../store/storage.ts'
import { createStore, useStore } from '../store/store.ts'

// One session for each identifier, so that two companies on one device never see each other's.

const current = createStore<LoginInfo | null>(null)
let identifier: string | null = null
let storageKey: string | null = null

/** Whether a session may still be used; an expiry of -1 never comes. */
export function isLive(info: LoginInfo | null, now = Date.now()): info is LoginInfo {
  return info !== null && (info.expiresAt === -1 || info.expiresAt * 1000 > now)
}

/** The clerk's session with the company that the address names. */
export const session = {
  get: current.get,
  watch: current.watch,

  /**
   * Takes up what this device knows of a company's session.
   * @returns false when it had one and its time was over
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

  /** The name under which this device keeps something of the company that the address names. */
  keyOf: (name: string) => `tillside:${identifier ?? ''}:${name}`,

  open(info: LoginInfo): void {
    if (storageKey !== null) deviceStorage.setItem(storageKey, JSON.stringify(info))
    current.set(info)
  },

  /** Forgets the clerk; whoever keeps something of a member watches this and forgets it too. */
  close(): void {
    if (storageKey !== null) deviceStorage.removeItem(storageKey)
    current.set(null)
  },

  token(): string | null {
    const info = current.get()
    return isLive(info) ? info.token : null
  },
}

/** The clerk who is logged in and the store they stand in, or null. */
export function useSession(): LoginInfo | null {
  return useStore(current)
}

function readFromStorage(): void {
  const kept = parse(deviceStorage.getItem(storageKey ?? ''))
  if (kept?.token === current.get()?.token) return
  if (kept === null) current.set(null)
  else location.reload()
}

/** A logout in another tab is one here too; a login there begins this page anew, as its clerk. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    // Null: everything was cleared.
    if (key === storageKey || key === null) readFromStorage()
  })
  // A page that the browser had put aside has heard of nothing meanwhile.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) readFromStorage()
  })
}

const checkIntervalMs = 5000

/** Tells when the session's time runs out while the page is open. */
export function watchExpiry(onExpired: () => void): void {
  function check(): void {
    const info = current.get()
    if (info !== null && !isLive(info)) onExpired()
  }
  // By the clock, because a timer of twelve hours would sleep with the device.
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
