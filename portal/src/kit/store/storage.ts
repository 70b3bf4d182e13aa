/** Stores texts by name. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  names: () => string[]
}

/** Stored on this device; in memory if the browser forbids that or the storage is full. */
export const deviceStorage = safeStorage(() => localStorage)

/** Stored for this tab, and kept across a reload. */
export const tabStorage = safeStorage(() => sessionStorage)

/** Wraps a browser storage so that it never throws, even where it is forbidden. */
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
      // An older stored value is no longer valid.
      attempt(() => storage().removeItem(name))
    },
    removeItem(name) {
      inMemory.delete(name)
      attempt(() => storage().removeItem(name))
    },
    names: () => [...inMemory.keys(), ...(attempt(() => Object.keys(storage())) ?? [])],
  }
}

/** Removes all texts except those with one of these names. */
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
