/** Where a page keeps texts by name. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  names: () => string[]
}

/** Kept on this device; where a browser forbids that or has no room, in this page only. */
export const deviceStorage = safeStorage(() => localStorage)

/** Kept in this tab, across a reload. */
export const tabStorage = safeStorage(() => sessionStorage)

/** Touching a forbidden storage throws; nobody should have to think of it each time. */
function safeStorage(storage: () => Storage): TextStorage {
  const inMemory = new Map<string, string>()
  return {
    getItem: (name) => inMemory.get(name) ?? attempt(() => storage().getItem(name)),
    setItem(name, value) {
      inMemory.delete(name)
      const kept = attempt(() => {
        storage().setItem(name, value)
        return true
      })
      if (kept) return
      inMemory.set(name, value)
      // What stood there before is no longer true.
      attempt(() => storage().removeItem(name))
    },
    removeItem(name) {
      inMemory.delete(name)
      attempt(() => storage().removeItem(name))
    },
    names: () => [...inMemory.keys(), ...(attempt(() => Object.keys(storage())) ?? [])],
  }
}

/** Takes everything off a shelf, but what has one of these names. */
export function clearStorage(from: TextStorage, except: ReadonlySet<string> = new Set()): void {
  for (const name of from.names()) if (!except.has(name)) from.removeItem(name)
}

function attempt<T>(touch: () => T): T | null {
  try {
    return touch()
  } catch {
    return null
  }
}
