import * as z from 'zod/mini'
import { newVersion } from '../kit/call/portalState.ts'

const checkIntervalMs = 5000
const VersionFile = z.object({ version: z.string() })

/** Loaded when the page stands: keeps the program's files, and looks whether there are newer. */
export function watchVersion(version: string): void {
  void updateServiceWorker()
  setInterval(() => {
    if (document.visibilityState === 'visible' && navigator.onLine) void checkVersion(version)
  }, checkIntervalMs)
}

async function checkVersion(version: string): Promise<void> {
  const served = await fetchVersion()
  // Whatever else answers, a captive portal say, tells nothing of versions.
  if (served === null || newVersion.get() === (served !== version)) return
  newVersion.set(served !== version)
  // The new files come before they are asked for.
  void updateServiceWorker()
}

/** A file of a few bytes, asked for with the tag of the last answer: mostly nothing comes back. */
async function fetchVersion(): Promise<string | null> {
  try {
    const response = await fetch('/version.json', { cache: 'no-cache', credentials: 'omit' })
    const parsed = z.safeParse(VersionFile, response.ok ? await response.json() : null)
    return parsed.success ? parsed.data.version : null
  } catch {
    return null
  }
}

/** Browsers without a worker, and pages without https, do without: the server has the files. */
async function updateServiceWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(workerAddress())
    await registration.update()
  } catch {
    // It is a convenience: everything works without.
  }
}

let address: string | URL | null = null

/** The page's policy takes a script's address only from who says that it is meant. */
function workerAddress(): string | URL {
  if (address !== null) return address
  const rules = { createScriptURL: () => '/worker.js' }
  const policy = globalThis.trustedTypes?.createPolicy('tillside-worker', rules)
  address = policy?.createScriptURL('') ?? '/worker.js'
  return address
}
