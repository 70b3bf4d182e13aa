import type { Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import { scan } from '../../support/browser/scanner.ts'
import { openMember } from '../../support/portal/member-page.ts'
import { english } from '../../support/portal/catalogue.ts'

// A page replaces the page before, also when its file arrives late or not at all.

const ada = { firstName: 'Ada', lastName: 'Byron' }
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
  const arrived = Promise.withResolvers<void>()
  await page.route(shiftFile, async (route) => {
    await arrived.promise
    await route.continue()
  })
  await openMember(page, 'aurora', memberCode)
  await expect(title(page)).toContainText('Ada Byron')
  await scanSlip(page)
  await expect(title(page)).toHaveCount(0)
  await expect(mains(page)).toHaveCount(1)
  arrived.resolve()
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
  const arrived = Promise.withResolvers<void>()
  await page.route(/assets\/forms-.*\.js/, async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page.goto(`/aurora/member/home/transaction?code=${memberCode}`)
  const transactions = mains(page).getByText(english('tx.empty'))
  await expect(transactions).toBeVisible()
  await page.getByRole('link', { name: english('nav.profile') }).click()
  await expect(transactions).toHaveCount(0)
  arrived.resolve()
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
