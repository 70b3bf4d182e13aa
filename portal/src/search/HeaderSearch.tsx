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

let firstTry: Promise<void> | null = null

/**
 * Loads the file of the search, once. Without a network it tries again until there is one.
 * @returns fulfilled after the first try, also when it fails
 */
export function loadHeaderSearch(): Promise<void> {
  return (firstTry ??= tryToLoad())
}

async function tryToLoad(): Promise<void> {
  try {
    ;({ HeaderSearchBox: Box } = await importAgain(load, isWhole))
    isLoaded.set(true)
  } catch {
    setTimeout(tryAgain, retryAfterMs)
  }
}

/** When the browser says that it is online, it often is not yet. */
function tryAgain(): void {
  if (navigator.onLine && document.visibilityState === 'visible') void tryToLoad()
  else setTimeout(tryAgain, retryAfterMs)
}

function isWhole(exports: unknown): exports is Exports {
  return typeof exports === 'object' && exports !== null && 'HeaderSearchBox' in exports
}

/** The search for the next customer in the header of a wide screen; nothing until it is loaded. */
export function HeaderSearch(): ReactNode {
  return useStore(isLoaded) && Box !== null ? <Box /> : null
}
