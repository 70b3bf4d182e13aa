import type { Browser, BrowserContext, Page } from '@playwright/test'

// A new browser context starts a new process that loads and compiles the whole program. Journeys
// of one worker therefore share a context. Between two journeys everything that one of them can
// leave behind is removed; only the cache of files and of compiled code stays warm.

export type SharedContext = {
  context: BrowserContext
  /** A page of the portal's origin without any program. It keeps the browser's process alive. */
  anchor: Page
}

export type ContextPool = {
  /** The context with these options; they must be the runner's present defaults. */
  take: (options: object, origin: string) => Promise<SharedContext>
  /** Makes a used context as good as new. */
  release: (shared: SharedContext) => Promise<void>
  close: () => Promise<void>
}

// Each context has a process of its own: a few are kept, for the options that journeys alternate.
const mostContexts = 3

export function contextPoolOf(browser: Browser): ContextPool {
  const open = new Map<string, SharedContext>()
  const drop = async (key: string): Promise<void> => {
    const shared = open.get(key)
    open.delete(key)
    await shared?.context.close()
  }
  return {
    async take(options, origin) {
      const key = JSON.stringify([origin, options])
      const known = open.get(key)
      if (known !== undefined) return known
      const [oldest] = open.keys()
      if (open.size >= mostContexts && oldest !== undefined) await drop(oldest)
      const context = await browser.newContext()
      const shared = { context, anchor: await openAnchor(context, origin) }
      open.set(key, shared)
      return shared
    },
    async release(shared) {
      if (await isClean(shared)) return
      const entry = [...open].find(([, one]) => one === shared)
      if (entry !== undefined) await drop(entry[0])
    },
    async close() {
      for (const key of open.keys()) await drop(key)
    },
  }
}

/** Opens an address of the portal that is a line of text, so that nothing of it runs. */
async function openAnchor(context: BrowserContext, origin: string): Promise<Page> {
  const anchor = await context.newPage()
  await anchor.goto(`${origin}/healthz`)
  return anchor
}

/** Removes the journey's traces. @returns false where one of them cannot be removed */
async function isClean({ context, anchor }: SharedContext): Promise<boolean> {
  const used = context.pages().filter((page) => page !== anchor)
  // The runner cannot uninstall its clock.
  const clocks = await Promise.all(used.map(hasFakeClock))
  await Promise.all(used.map((page) => page.close()))
  if (clocks.includes(true) || anchor.isClosed()) return false
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  await anchor.evaluate(clearStorage)
  return true
}

function hasFakeClock(page: Page): Promise<boolean> {
  return page.evaluate(() => '__pwClock' in globalThis).catch(() => true)
}

async function clearStorage(): Promise<void> {
  localStorage.clear()
  for (const name of await caches.keys()) await caches.delete(name)
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined) indexedDB.deleteDatabase(name)
  }
}
