import { LoginInfo } from '@tillside/contract/auth'
import * as z from 'zod/mini'
import { createStore, useStore } from './store.ts'

// One session for each identifier, so that two companies on one device never see each other's.

const current = createStore<LoginInfo | null>(null)
let storageKey: string | null = null

/** Whether a session may still be used; an expiry of -1 never comes. */
export function isLive(info: LoginInfo | null, now = Date.now()): info is LoginInfo {
  return info !== null && (info.expiresAt === -1 || info.expiresAt * 1000 > now)
}

/** The clerk's session with the company that the address names. */
export const session = {
  get: current.get,
  watch: current.watch,

  /** Takes up what this device knows of a company's session, expired or not. */
  use(identifier: string): void {
    storageKey = `tillside:${identifier}:session`
    current.set(parse(localStorage.getItem(storageKey)))
  },

  open(info: LoginInfo): void {
    if (storageKey !== null) localStorage.setItem(storageKey, JSON.stringify(info))
    current.set(info)
  },

  /** Forgets the clerk; whoever keeps something of a member watches this and forgets it too. */
  close(): void {
    if (storageKey !== null) localStorage.removeItem(storageKey)
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

/** A login or logout in another tab is one here too. */
export function followOtherTabs(): void {
  addEventListener('storage', (event) => {
    if (event.key === storageKey) current.set(parse(event.newValue))
  })
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
