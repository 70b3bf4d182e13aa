import type { ReactNode } from 'react'
import { importAgain } from '../kit/device/importAgain.ts'
import { createStore, useStore } from '../kit/store/store.ts'

// A phone's header has no search box, so its first page does not load it. `lazy` would draw the
// first page of a wide screen twice, also when the file is there.

type Exports = { HeaderSearchBox: () => ReactNode }
const load = (): Promise<Exports> => import('./box/HeaderSearchBox.tsx')

let Box: Exports['HeaderSearchBox'] | null = null
const isLoaded = createStore(false)

/** As often as the portal asks for a new version; in ms. */
const retryAfterMs = 5000

/** Loads the file of the search, and tries again until there is a network. */
export async function loadHeaderSearch(): Promise<void> {
  try {
    ;({ HeaderSearchBox: Box } = await importAgain(load, isWhole))
    isLoaded.set(true)
  } catch {
    // When the browser says that it is online, it often is not yet.
    setTimeout(() => void loadHeaderSearch(), retryAfterMs)
  }
}

function isWhole(exports: unknown): exports is Exports {
  return typeof exports === 'object' && exports !== null && 'HeaderSearchBox' in exports
}

/** The search for the next customer in the header of a wide screen; nothing until it is loaded. */
export function HeaderSearch(): ReactNode {
  return useStore(isLoaded) && Box !== null ? <Box /> : null
}
