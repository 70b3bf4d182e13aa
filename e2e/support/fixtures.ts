import { writeFile } from 'node:fs/promises'
import {
  test as base,
  type BrowserContext,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type WebError,
} from '@playwright/test'
import type { LoginInfo } from '@tillside/contract/auth'
import { type User, userAt } from './browser/count-steps.ts'
import { mendDriver } from './browser/firefox.ts'
import { type ContextPool, contextPoolOf, type SharedContext } from './browser/shared-context.ts'
import { type Api, apiAt } from './demo/api.ts'
import { closeDemoDatabase, demoDatabase } from './demo/database.ts'
import { type Shop, shopOf } from './demo/shop.ts'

/** The errors of the browser that a journey causes on purpose. */
export type BrowserErrors = {
  /** From now on, error messages that match do not fail the journey. */
  allow: (message: RegExp) => void
}

/** The network of the journey's pages. */
export type Network = {
  /** Expects the errors of the files that a page was still fetching for later. */
  cut: () => Promise<void>
  restore: () => Promise<void>
}

type Options = {
  /** The journey needs a browser context that no other journey has used. */
  hasOwnContext: boolean
}

type Fixtures = {
  api: Api
  user: User
  /** Each journey fails on a console error, a policy violation or a request to another server. */
  browserErrors: BrowserErrors
  network: Network
  /** Opens a session without the login form. @returns the session's token */
  startSession: (company: string, account?: string) => Promise<string>
  /** The shared context, or null where the journey has its own. */
  shared: SharedContext | null
}

type WorkerFixtures = { shop: Shop; contextPool: ContextPool }

export const test = base.extend<Fixtures & Options, WorkerFixtures>({
  hasOwnContext: [false, { option: true }],
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names from the pattern
    async ({}, use) => {
      await use(shopOf(demoDatabase()))
      await closeDemoDatabase()
    },
    { scope: 'worker' },
  ],
  contextPool: [
    async ({ browser }, use) => {
      const pool = contextPoolOf(browser)
      await use(pool)
      await pool.close()
    },
    { scope: 'worker' },
  ],
  shared: async (
    {
      contextPool,
      hasOwnContext,
      browserName,
      baseURL,
      // The options that distinguish journeys. The runner applies them to each new context.
      viewport,
      hasTouch,
      isMobile,
      locale,
      timezoneId,
      javaScriptEnabled,
      serviceWorkers,
      colorScheme,
      deviceScaleFactor,
    },
    use,
  ) => {
    // Firefox's driver cannot clean a context; and a service worker outlives its pages.
    const mustOwn = hasOwnContext || browserName === 'firefox' || serviceWorkers === 'allow'
    if (mustOwn) return use(null)
    const shared = await contextPool.take(
      {
        viewport,
        hasTouch,
        isMobile,
        locale,
        timezoneId,
        javaScriptEnabled,
        colorScheme,
        deviceScaleFactor,
      },
      baseURL ?? '',
    )
    await use(shared)
    if (test.info().errors.length > 0) await attachPages(shared)
    await contextPool.release(shared)
  },
  context: async ({ browser, shared }, use) => {
    const context = shared?.context ?? (await browser.newContext())
    await use(context)
    if (shared === null) await context.close()
  },
  api: async ({ baseURL }, use) => use(apiAt(baseURL ?? '')),
  user: async ({ page, hasTouch }, use) => use(userAt(page, hasTouch)),
  browserErrors: [
    async ({ context, browserName, baseURL }, use) => {
      if (browserName === 'firefox') await mendDriver(context)
      const allowed: RegExp[] = browserName === 'firefox' ? [unloadedFont] : []
      const { messages, stop } = await recordErrors(context, baseURL ?? '')
      await use({ allow: (message) => allowed.push(message) })
      await stop()
      // A page that was not removed is often below the fold, where no journey looks.
      for (const page of context.pages()) {
        expect(
          await page.locator('main:visible').count(),
          'pages in one window',
        ).toBeLessThanOrEqual(1)
      }
      const unexpected = messages.filter((text) => !allowed.some((known) => known.test(text)))
      expect(unexpected, 'errors of the browser').toEqual([])
    },
    { auto: true },
  ],
  network: async ({ context, browserErrors }, use) =>
    use({
      cut: async () => {
        browserErrors.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module/)
        await context.setOffline(true)
      },
      restore: () => context.setOffline(false),
    }),
  startSession: async ({ context, page, shared, browserName, baseURL, shop, browserErrors }, use) =>
    use(async (company, account = 'amy') => {
      const info = await shop.session(company, account)
      if (shared === null) {
        // The empty page from which the runner writes has no icon.
        browserErrors.allow(/favicon\.ico$/)
        await writeSession(context, baseURL ?? '', company, info)
      } else {
        await shared.anchor.evaluate(([name, value]) => localStorage.setItem(name, value), [
          sessionKey(company),
          JSON.stringify(info),
        ] as const)
      }
      // The runner wrote from another page, and Firefox leaves the first window in the background.
      if (browserName === 'firefox') await page.bringToFront()
      return info.token
    }),
})

/**
 * The tag of a row of a table. Only a full run plays all rows: a test of the portal or the server
 * checks the rule with each of them, and a short run checks that the screen follows the rule.
 * @param row counts from 0
 * @param short how many rows a short run plays
 */
export function rowTag(row: number, short: number): { tag: string[] } {
  return { tag: row < short ? [] : ['@full'] }
}

export { expect }
export type { Page }

/**
 * Firefox reports a font whose page was left, or whose journey switched the network off, while the
 * font loaded: NS_BINDING_ABORTED, NS_ERROR_OFFLINE.
 */
const unloadedFont = /downloadable font: download failed .* status=(2152398850|2152398864) /

/** Keeps what a failed journey saw: the runner itself would show the anchor. */
async function attachPages({ context, anchor }: SharedContext): Promise<void> {
  for (const [n, page] of context.pages().entries()) {
    if (page === anchor) continue
    const snapshot = await page.ariaSnapshot({ timeout: 5000 }).catch(String)
    const body = `${page.url()}\n${snapshot}\n`
    const path = test.info().outputPath(`page-${n}.yaml`)
    await writeFile(path, body)
    await test.info().attach(`page ${n}`, { path, contentType: 'text/plain' })
  }
}

const sessionKey = (company: string): string => `tillside:${company}:session`

function writeSession(context: BrowserContext, origin: string, company: string, info: LoginInfo) {
  const localStorage = [{ name: sessionKey(company), value: JSON.stringify(info) }]
  return context.setStorageState({ cookies: [], origins: [{ origin, localStorage }] })
}

/** Records console errors, uncaught errors and requests to other servers. */
async function recordErrors(context: BrowserContext, origin: string) {
  const messages: string[] = []
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') messages.push(`${message.text()} ${message.location().url}`)
  }
  const onError = (error: WebError) => messages.push(`uncaught: ${String(error.error())}`)
  const onRequest = (request: Request) => {
    const url = new URL(request.url())
    const isOurs =
      url.origin === new URL(origin).origin || /^(data|blob|about):$/.test(url.protocol)
    if (!isOurs) messages.push(`asked a third party: ${url.href}`)
  }
  context.on('console', onConsole)
  context.on('weberror', onError)
  context.on('request', onRequest)
  const script = await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  const stop = async (): Promise<void> => {
    context.off('console', onConsole)
    context.off('weberror', onError)
    context.off('request', onRequest)
    await script.dispose()
  }
  return { messages, stop }
}
