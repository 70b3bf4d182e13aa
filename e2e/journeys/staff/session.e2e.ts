import { logout } from '@tillside/contract/auth'
import { getOtherConfig } from '@tillside/contract/company'
import { redeemCoupon } from '@tillside/contract/coupon'
import { getOneCustomer } from '@tillside/contract/member'
import { password } from '../../support/demo/api.ts'
import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { forwardRequest } from '../../support/browser/drop-answers.ts'
import { english } from '../../support/portal/catalogue.ts'

// A session ends by itself or by the server, with and without a request under way.

const lost = (page: Page) => page.getByText(english('login.authFailed'))

async function logInAgain(page: Page, account: string): Promise<void> {
  await page.getByLabel('Account').fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Gives the kept session another end. */
async function endAt(page: Page, expiresAt: number): Promise<void> {
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await page.evaluate((end) => {
    const name = 'tillside:aurora:session'
    const info = JSON.parse(localStorage.getItem(name) ?? '{}')
    localStorage.setItem(name, JSON.stringify({ ...info, expiresAt: end }))
  }, expiresAt)
}

test('a session that runs out while the page is open leads to the login, and back', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  await endAt(page, Math.floor(Date.now() / 1000) + 600)
  await page.clock.install()
  await openMember(page, 'aurora', 'AUR10001')
  await page.clock.fastForward('09:30')
  await page.mouse.click(5, 5)
  await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
  await page.clock.fastForward('00:40')
  await expect(page.getByText(english('login.expired'))).toBeVisible()
  await expect(page.getByText('Grace Lee')).toHaveCount(0)
  await logInAgain(page, 'amy')
  await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
})

test('one that never expires (-1) does not', async ({ page, startSession }) => {
  await startSession('aurora')
  await endAt(page, -1)
  await page.clock.install()
  await page.goto('/aurora/member/search/index')
  await page.getByRole('heading', { name: english('search.title') }).waitFor()
  await page.clock.fastForward(400 * 24 * 3_600_000)
  await expect(page.getByRole('heading', { name: english('search.title') })).toBeVisible()
  await expect(page).toHaveURL('/aurora/member/search/index')
})

// Firefox's driver says of a request that a journey holds only then that it was cancelled.
const many = 'many calls that are refused (401) are one message and one way, and end the others'
test(many, { tag: '@chromium' }, async ({ page, startSession, api, browserErrors }) => {
  browserErrors.allow(/401/)
  const token = await startSession('aurora')
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await api.data(logout, {}, { token })
  const logins: string[] = []
  page.on('framenavigated', (frame) => {
    if (frame.url().includes('/login')) logins.push(frame.url())
  })
  // One of them is still under way when the others are answered.
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const asked = page.waitForRequest(`**${getOtherConfig.path}`)
  await page.route('**/web/api/v1/**', async (route) => {
    await (route.request().url().endsWith(getOtherConfig.path) ? end : asked)
    await route.continue().catch(() => undefined)
  })
  const cancelled = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith(getOtherConfig.path),
  )
  await page.goto('/aurora/member/home/view?code=AUR10001')
  expect((await cancelled).failure()?.errorText).toContain('ERR_ABORTED')
  resolve()
  await expect(lost(page)).toHaveCount(1)
  await expect(page).toHaveURL(/\/aurora\/login\?redirectUrl=%2Faurora%2Fmember%2Fhome%2Fview/)
  await page.waitForTimeout(500)
  expect(logins).toHaveLength(1)
  await logInAgain(page, 'amy')
  await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
})

test('a redemption that is under way is left to finish', async ({
  page,
  startSession,
  shop,
  api,
  user,
  browserErrors,
}) => {
  browserErrors.allow(/401/)
  const token = await startSession('aurora')
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await page.goto(`/aurora/member/home/coupon?code=${customer.memberCode}`)
  await user.tap(couponTicket(page).getByRole('button', { name: 'Redeem' }))
  const { promise: leave, resolve: go } = Promise.withResolvers<void>()
  const { promise: done, resolve: isDone } = Promise.withResolvers<void>()
  await page.route(`**${redeemCoupon.path}`, async (route) => {
    const response = await forwardRequest(route)
    isDone()
    await leave
    await route.fulfill({ response })
  })
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon' }))
  // The server has done it; only the page does not know yet.
  await done
  await api.data(logout, {}, { token })
  // The page learns that the session is over.
  await page.evaluate((name) => {
    localStorage.removeItem(name)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, 'tillside:aurora:session')
  await expect(page).toHaveURL(/\/aurora\/login/)
  const answered = page.waitForResponse(`**${redeemCoupon.path}`)
  go()
  expect((await answered).status()).toBe(200)
  expect(failed.filter((url) => url.endsWith(redeemCoupon.path))).toEqual([])
})

test('two reads that are the same are one, silently', async ({ page, startSession }) => {
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.reload()
  await page.getByRole('heading', { name: 'Grace Lee' }).waitFor()
  expect(asked.filter((url) => url.includes(getOneCustomer.path))).toHaveLength(1)
})
