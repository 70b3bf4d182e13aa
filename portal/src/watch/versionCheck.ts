import * as z from 'zod/mini'
import { newVersion } from '../kit/call/portalState.ts'

const checkIntervalMs = 5000
const VersionFile = z.object({ version: z.string() })

/**
 * Loaded some seconds after the page: stores the program's files, and checks for a newer version
 * every 5 s (specification, section 2).
 */
export function watchVersion(version: string): void {
  void updateServiceWorker()
  setInterval(() => {
    if (document.visibilityState === 'visible' && navigator.onLine) void checkVersion(version)
  }, checkIntervalMs)
}

async function checkVersion(version: string): Promise<void> {
  const served = await fetchVersion()
  // An answer without a version, for example from a captive portal, is ignored.
  if (served === null || newVersion.get() === (served !== version)) return
  newVersion.set(served !== version)
  // Loads the new files before they are needed.
  void updateServiceWorker()
}

/**
 * A file of a few bytes. The browser sends the ETag of the last answer, so the usual answer is
 * empty.
 */
async function fetchVersion(): Promise<string | null> {
  try {
    const response = await fetch('/version.json', { cache: 'no-cache', credentials: 'omit' })
    const parsed = z.safeParse(VersionFile, response.ok ? await response.json() : null)
    return parsed.success ? parsed.data.version : null
  } catch {
    return null
  }
}

/** Without a service worker or HTTPS, the files are loaded from the server as usual. */
async function updateServiceWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(workerAddress())
    await registration.update()
  } catch {
    // The service worker is optional.
  }
}

let address: string | URL | null = null

/** The page's policy accepts only a trusted type as the address of a script. */
function workerAddress(): string | URL {
  if (address !== null) return address
  const rules = { createScriptURL: () => '/worker.js' }
  const policy = globalThis.trustedTypes?.createPolicy('tillside-worker', rules)
  address = policy?.createScriptURL('') ?? '/worker.js'
  return address
}
