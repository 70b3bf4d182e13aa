import { test as base, type BrowserContext, expect, type Page } from '@playwright/test'
import { openDatabase } from '@tillside/server/kit/database'
import { type Api, apiAt } from './demo/api.ts'
import { mendDriver } from './browser/firefox.ts'
import { type User, userAt } from './browser/count-steps.ts'
import { type Shop, shopOf } from './demo/shop.ts'

/** What may go wrong in a journey because the journey itself makes it go wrong. */
export type BrowserErrors = {
  /** From here on, a complaint of the console that matches is no surprise. */
  allow: (message: RegExp) => void
}

type Fixtures = {
  api: Api
  /** A finger or a mouse, whose touches are counted. */
  user: User
  /** Every journey fails on an error in the console, a violated policy or a foreign request. */
  browserErrors: BrowserErrors
  /** Lets a clerk in without the login form. @returns the session's token */
  startSession: (company: string, account?: string) => Promise<string>
}

export const test = base.extend<Fixtures, { shop: Shop }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names from the pattern
    async ({}, use) => {
      const database = openDatabase(process.env['E2E_DATABASE_URL'] ?? '', 2)
      await use(shopOf(database))
      await database.close()
    },
    { scope: 'worker' },
  ],
  api: async ({ baseURL }, use) => use(apiAt(baseURL ?? '')),
  user: async ({ page, hasTouch }, use) => use(userAt(page, hasTouch)),
  browserErrors: [
    async ({ context, browserName, baseURL }, use) => {
      if (browserName === 'firefox') await mendDriver(context)
      const expected: RegExp[] = []
      const complaints = await listen(context, baseURL ?? '')
      await use({ allow: (complaint) => expected.push(complaint) })
      const surprises = complaints.filter((text) => !expected.some((known) => known.test(text)))
      expect(surprises, 'what the browser complained about').toEqual([])
    },
    { auto: true },
  ],
  startSession: async ({ context, page, browserName, baseURL, api, browserErrors }, use) =>
    use(async (company, account) => {
      const info = await api.logIn(company, account)
      const kept = { name: `tillside:${company}:session`, value: JSON.stringify(info) }
      // The empty page from which the runner writes has no icon.
      browserErrors.allow(/favicon\.ico$/)
      await context.setStorageState({
        cookies: [],
        origins: [{ origin: baseURL ?? '', localStorage: [kept] }],
      })
      // Another page wrote that, and Firefox leaves the window behind it in the background.
      if (browserName === 'firefox') await page.bringToFront()
      return info.token
    }),
})

export { expect }
export type { Page }

/** Hears everything that no page of the portal should say or ask for. */
async function listen(context: BrowserContext, origin: string): Promise<string[]> {
  const complaints: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => complaints.push(`uncaught: ${String(error.error())}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    const isOurs =
      url.origin === new URL(origin).origin || /^(data|blob|about):$/.test(url.protocol)
    if (!isOurs) complaints.push(`asked a third party: ${url.href}`)
  })
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return complaints
}
