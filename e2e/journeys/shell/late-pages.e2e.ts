import type { Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import { password } from '../../support/demo/api.ts'
import { scan } from '../../support/browser/scanner.ts'
import { openMember } from '../../support/portal/member-page.ts'
import { english } from '../../support/portal/catalogue.ts'

// A page replaces the page before, also when its file arrives late or not at all.

/** Holds the requests for a file. */
async function hold(page: Page, file: RegExp) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(file, async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  return { asked: asked.promise, release: () => released.resolve() }
}

const ada = { firstName: 'Ada', lastName: 'Byron' }
const screensFile = /assets\/counter-.*\.js/
const shiftFile = /assets\/ShiftPage.*\.js/
const scanSlip = (page: Page) => scan(page, `OP-${crypto.randomUUID().toUpperCase()}`)
const mains = (page: Page) => page.getByRole('main')
const title = (page: Page) => mains(page).getByRole('heading', { level: 1 })

test('a placeholder, then the page, replace a member when the file arrives late', async ({
  page,
  startSession,
  shop,
}) => {
  const { memberCode } = await shop.customer('aurora', ada)
  await startSession('aurora')
  const held = await hold(page, shiftFile)
  await openMember(page, 'aurora', memberCode)
  await expect(title(page)).toContainText('Ada Byron')
  await scanSlip(page)
  await held.asked
  await expect(title(page)).toHaveCount(0)
  await expect(mains(page)).toHaveCount(1)
  held.release()
  await expect(title(page)).toHaveText(english('shift.title'))
  await page.goBack()
  await expect(title(page)).toContainText('Ada Byron')
})

test('a tab replaces the tab before when its file arrives late', async ({
  page,
  startSession,
  shop,
}) => {
  const { memberCode } = await shop.customer('aurora', ada)
  await startSession('aurora')
  const held = await hold(page, /assets\/forms-.*\.js/)
  await page.goto(`/aurora/member/home/transaction?code=${memberCode}`)
  const transactions = mains(page).getByText(english('tx.empty'))
  await expect(transactions).toBeVisible()
  await page.getByRole('link', { name: english('nav.profile') }).click()
  await held.asked
  await expect(transactions).toHaveCount(0)
  held.release()
  await expect(mains(page).getByRole('textbox').first()).toBeVisible()
  await expect(transactions).toHaveCount(0)
})

test('an error replaces a member when the file is lost, until it arrives', async ({
  page,
  startSession,
  shop,
  browserErrors,
}) => {
  const { memberCode } = await shop.customer('aurora', ada)
  await startSession('aurora')
  browserErrors.allow(/Failed to (?:load resource|fetch)|ShiftPage/)
  await page.route(shiftFile, (route) => route.abort())
  await openMember(page, 'aurora', memberCode)
  await expect(title(page)).toContainText('Ada Byron')
  await scanSlip(page)
  await expect(title(page)).toHaveText(english('common.loadFailed'), { timeout: 25_000 })
  await page.unroute(shiftFile)
  await page.getByRole('button', { name: english('common.retry') }).click()
  await expect(title(page)).toHaveText(english('shift.title'))
})

test('a page that does not exist replaces a member', async ({ page, startSession, shop }) => {
  const { memberCode } = await shop.customer('aurora', ada)
  await startSession('aurora')
  await openMember(page, 'aurora', memberCode)
  await expect(title(page)).toContainText('Ada Byron')
  await page.evaluate(() => {
    history.pushState(null, '', '/aurora/nowhere')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(title(page)).toHaveText(english('e404.title'))
})

test('the login stays until the file of the first screens arrives', async ({ page }) => {
  const held = await hold(page, screensFile)
  await page.goto('/aurora/login')
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await held.asked
  await page.waitForTimeout(1000)
  await expect(page.locator('main:visible')).toHaveCount(1)
  held.release()
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
})

test('the program says that the file of the first screens is lost', async ({
  page,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/./)
  await startSession('aurora')
  await page.route(screensFile, (route) => route.abort())
  await page.goto('/aurora/index')
  await expect(page.getByRole('alert')).toHaveText(english('common.loadFailed'))
  await page.unroute(screensFile)
  await page.getByRole('button', { name: english('common.retry') }).click()
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
})
