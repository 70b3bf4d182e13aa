import { login } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import { password } from '../../support/demo/api.ts'
import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, type Page } from '../../support/fixtures.ts'
import { test } from '../../support/judges/axe.ts'
import { givePoints } from '../../support/demo/test-points.ts'

// axe-core finds nothing on any screen or sheet, in light and in dark, and nothing is cut off.

const confirm = (page: Page) =>
  sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true })

test('the identifier, asked for, missing and unknown', async ({ page, user, inspect }) => {
  await page.goto('/identifier-set')
  const next = page.getByRole('button', { name: 'Continue' })
  await next.waitFor()
  await inspect('identifier-set')
  await user.tap(next)
  await expect(page.getByText('Enter your Business identifier')).toBeVisible()
  await inspect('identifier-set, missing')
  await page.goto('/nowhere/login')
  await expect(page.getByText('Not found Business identifier')).toBeVisible()
  await inspect('identifier-set, unknown')
})

test('the login form and its refusals', async ({ page, user, shop, api, inspect }) => {
  await page.goto('/aurora/login')
  const button = page.getByRole('button', { name: 'Log in' })
  await button.waitFor()
  await inspect('login')
  await user.tap(button)
  await expect(page.getByText('please type the account')).toBeVisible()
  await inspect('login, nothing typed')
  await page.getByLabel('Account').fill('cleo')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await user.tap(button)
  await expect(page.getByText('the store is inactive, unable to log in')).toBeVisible()
  await inspect('login, inactive store')
  await user.tap(page.locator('button[aria-haspopup=menu]'))
  await page.getByRole('menu').waitFor()
  await inspect('login, language menu')

  const company = await shop.company()
  const wrong = { identifier: company, account: 'nobody', password: 'not the one' }
  for (let tries = 0; tries < 10; tries++) await api.ask(login, wrong)
  await page.goto(`/${company}/login`)
  await page.getByLabel('Account').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await user.tap(button)
  await expect(page.getByText('Too many attempts.')).toBeVisible()
  await inspect('login, too many tries')
})

test('the login form after a session has ended', async ({ page, startSession, inspect }) => {
  await startSession('aurora')
  await page.goto('/aurora/index')
  await page.evaluate(() => {
    const name = 'tillside:aurora:session'
    const info = JSON.parse(localStorage.getItem(name) ?? '{}')
    localStorage.setItem(name, JSON.stringify({ ...info, expiresAt: 1_700_000_000 }))
  })
  await page.goto('/aurora/index')
  await expect(page.getByText('Login expired, please log in again')).toBeVisible()
  await inspect('login, expired')
})

test('the shell: modules, settings, 404', async ({ page, user, startSession, inspect }) => {
  await startSession('aurora')
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await inspect('modules')
  await user.tap(page.getByRole('button', { name: 'Settings' }))
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor()
  await inspect('settings')
  await page.goto('/aurora/nowhere')
  await page.getByRole('link', { name: 'Back to home' }).waitFor()
  await inspect('404')
})

test('no permission', async ({ page, startSession, inspect }) => {
  await startSession('aurora', 'dan')
  await page.goto('/aurora/index')
  await page.getByRole('button', { name: 'Check again' }).waitFor()
  await inspect('no permission')
})

test('the search, each method and each outcome', async ({
  page,
  context,
  startSession,
  inspect,
}) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  for (const method of ['Card no.', 'Member code', 'Email', 'Mobile']) {
    await page.getByRole('radio', { name: method }).check()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Please startSession the /)).toBeVisible()
    await inspect(`search by ${method}, nothing typed`)
  }
  const field = page.getByRole('textbox', { name: 'Mobile' })
  await field.fill('2015550123')
  await expect(page.getByRole('button', { name: /G•••e/ })).toBeVisible()
  await inspect('search with a peek')
  await field.fill('2125559999')
  await field.press('Enter')
  await expect(page.getByRole('heading', { name: 'No Member Found' })).toBeVisible()
  await inspect('search, nobody found')
  await context.setOffline(true)
  await expect(page.getByRole('button', { name: 'Search' })).toBeDisabled()
  await inspect('search, offline')
})

for (const [company, code] of [
  ['aurora', 'AUR10001'],
  ['harbour', 'HAR10001'],
] as const) {
  test(`the member of ${company}`, async ({ page, startSession, inspect }) => {
    await startSession(company)
    await openMember(page, company, code)
    await expect(page.getByRole('main').getByRole('article').nth(2)).toBeVisible()
    await expect(page.getByText('Last transaction')).toBeVisible()
    await inspect('member')
  })
}

test('a redemption from the question to the torn ticket', async ({
  page,
  user,
  startSession,
  shop,
  inspect,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await user.tap(couponTicket(page).getByRole('button'))
  await confirm(page).waitFor()
  await inspect('redeem, question')
  // A touch keeps the last sheet open.
  await user.tap(confirm(page))
  await expect(sheet(page)).toHaveAccessibleName('Coupon redeemed successfully')
  await page.keyboard.press('Shift')
  await inspect('redeem, done')
  await user.tap(sheet(page).getByRole('button', { name: 'Done' }))
  await expect(page.getByText('No coupons to use')).toBeVisible()
  await inspect('member without coupons')
})

test('a redemption that is refused', async ({ page, user, startSession, shop, api, inspect }) => {
  const customer = await shop.customer('aurora')
  const couponCode = await shop.coupon('aurora', customer)
  const token = await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await user.tap(couponTicket(page).getByRole('button'))
  await api.data(redeemCoupon, { memberCode: customer.memberCode, couponCode }, { token })
  await user.tap(confirm(page))
  await sheet(page).getByRole('alert').waitFor()
  await inspect('redeem, refused')
})

test('a redemption that nobody can confirm', async ({
  page,
  user,
  startSession,
  shop,
  browserErrors,
  inspect,
}) => {
  browserErrors.allow(/ERR_FAILED/)
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await page.route(`**${redeemCoupon.path}`, (route) => route.abort())
  await user.tap(couponTicket(page).getByRole('button'))
  await user.tap(confirm(page))
  const check = page.getByRole('button', { name: 'Check status' })
  await check.waitFor()
  await inspect('redeem, unknown')
  await page.reload()
  await check.waitFor()
  await inspect('member with an unanswered redemption')
  await user.tap(check)
  await expect(page.getByText('The coupon has not been redeemed.')).toBeVisible()
  await inspect('member with an intact coupon')
})

test('the coupons and the points', async ({ page, user, startSession, shop, inspect }) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await shop.coupon('aurora', customer, 'HOUSE')
  await givePoints('aurora', customer, 5000)
  await startSession('aurora')
  const at = (tab: string) => `/aurora/member/home/${tab}?code=${customer.memberCode}`
  await page.goto(at('coupon'))
  await user.tap(page.getByRole('button', { name: 'Select several' }))
  await page.getByText('0 selected').waitFor()
  await inspect('coupons, to select')
  await page.goto(at('point'))
  await page.getByRole('img', { name: 'Balance 5,000' }).waitFor()
  await inspect('points')
  await page.goto(at('point-redeem'))
  await page.getByRole('button', { name: 'House blend' }).waitFor()
  await inspect('rewards')
  await user.tap(page.getByRole('radio', { name: 'Against this sale' }))
  await page.getByRole('textbox', { name: 'Points to use' }).waitFor()
  await inspect('points against a sale')
})

test('the forced logout', async ({ page, user, startSession, shop, inspect }) => {
  const company = await shop.company()
  const customer = await shop.customer(company)
  await shop.coupon(company, customer)
  await startSession(company, await shop.clerk(company))
  await openMember(page, company, customer.memberCode)
  await user.tap(couponTicket(page).getByRole('button'))
  await shop.revoke(company, 'full', 'couponRedeem')
  await user.tap(confirm(page))
  await sheet(page).getByRole('button', { name: 'OK' }).waitFor()
  await inspect('forced logout')
  await user.tap(sheet(page).getByRole('button', { name: 'OK' }))
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await inspect('login, permissions changed')
})
