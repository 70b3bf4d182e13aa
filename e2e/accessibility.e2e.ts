import { login } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import { password } from './api.ts'
import { couponTicket, openMember, sheet } from './counter.ts'
import { expect, type Page } from './fixtures.ts'
import { test } from './look.ts'
import { givePoints } from './purse.ts'

// axe-core finds nothing on any screen or sheet, in light and in dark, and nothing is cut off.

const confirm = (page: Page) =>
  sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true })

test('the identifier, asked for, missing and unknown', async ({ page, hand, look }) => {
  await page.goto('/identifier-set')
  const next = page.getByRole('button', { name: 'Continue' })
  await next.waitFor()
  await look('identifier-set')
  await hand.tap(next)
  await expect(page.getByText('Enter your Business identifier')).toBeVisible()
  await look('identifier-set, missing')
  await page.goto('/nowhere/login')
  await expect(page.getByText('Not found Business identifier')).toBeVisible()
  await look('identifier-set, unknown')
})

test('the login form and its refusals', async ({ page, hand, shop, api, look }) => {
  await page.goto('/aurora/login')
  const button = page.getByRole('button', { name: 'Log in' })
  await button.waitFor()
  await look('login')
  await hand.tap(button)
  await expect(page.getByText('please type the account')).toBeVisible()
  await look('login, nothing typed')
  await page.getByLabel('Account').fill('cleo')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await hand.tap(button)
  await expect(page.getByText('the store is inactive, unable to log in')).toBeVisible()
  await look('login, inactive store')
  await hand.tap(page.locator('button[aria-haspopup=menu]'))
  await page.getByRole('menu').waitFor()
  await look('login, language menu')

  const company = await shop.company()
  const wrong = { identifier: company, account: 'nobody', password: 'not the one' }
  for (let tries = 0; tries < 10; tries++) await api.ask(login, wrong)
  await page.goto(`/${company}/login`)
  await page.getByLabel('Account').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await hand.tap(button)
  await expect(page.getByText('Too many attempts.')).toBeVisible()
  await look('login, too many tries')
})

test('the login form after a session has ended', async ({ page, enter, look }) => {
  await enter('aurora')
  await page.goto('/aurora/index')
  await page.evaluate(() => {
    const name = 'tillside:aurora:session'
    const info = JSON.parse(localStorage.getItem(name) ?? '{}')
    localStorage.setItem(name, JSON.stringify({ ...info, expiresAt: 1_700_000_000 }))
  })
  await page.goto('/aurora/index')
  await expect(page.getByText('Login expired, please log in again')).toBeVisible()
  await look('login, expired')
})

test('the shell: modules, settings, 404', async ({ page, hand, enter, look }) => {
  await enter('aurora')
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await look('modules')
  await hand.tap(page.getByRole('button', { name: 'Settings' }))
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor()
  await look('settings')
  await page.goto('/aurora/nowhere')
  await page.getByRole('link', { name: 'Back to home' }).waitFor()
  await look('404')
})

test('no permission', async ({ page, enter, look }) => {
  await enter('aurora', 'dan')
  await page.goto('/aurora/index')
  await page.getByRole('button', { name: 'Check again' }).waitFor()
  await look('no permission')
})

test('the search, each method and each outcome', async ({ page, context, enter, look }) => {
  await enter('aurora')
  await page.goto('/aurora/member/search/index')
  for (const method of ['Card no.', 'Member code', 'Email', 'Mobile']) {
    await page.getByRole('radio', { name: method }).check()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Please enter the /)).toBeVisible()
    await look(`search by ${method}, nothing typed`)
  }
  const field = page.getByRole('textbox', { name: 'Mobile' })
  await field.fill('2015550123')
  await expect(page.getByRole('button', { name: /G•••e/ })).toBeVisible()
  await look('search with a peek')
  await field.fill('2125559999')
  await field.press('Enter')
  await expect(page.getByRole('heading', { name: 'No Member Found' })).toBeVisible()
  await look('search, nobody found')
  await context.setOffline(true)
  await expect(page.getByRole('button', { name: 'Search' })).toBeDisabled()
  await look('search, offline')
})

for (const [company, code] of [
  ['aurora', 'AUR10001'],
  ['harbour', 'HAR10001'],
] as const) {
  test(`the member of ${company}`, async ({ page, enter, look }) => {
    await enter(company)
    await openMember(page, company, code)
    await expect(page.getByRole('main').getByRole('article').nth(2)).toBeVisible()
    await expect(page.getByText('Last transaction')).toBeVisible()
    await look('member')
  })
}

test('a redemption from the question to the torn ticket', async ({
  page,
  hand,
  enter,
  shop,
  look,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await enter('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await hand.tap(couponTicket(page).getByRole('button'))
  await confirm(page).waitFor()
  await look('redeem, question')
  // A touch keeps the last sheet open.
  await hand.tap(confirm(page))
  await expect(sheet(page)).toHaveAccessibleName('Coupon redeemed successfully')
  await page.keyboard.press('Shift')
  await look('redeem, done')
  await hand.tap(sheet(page).getByRole('button', { name: 'Done' }))
  await expect(page.getByText('No coupons to use')).toBeVisible()
  await look('member without coupons')
})

test('a redemption that is refused', async ({ page, hand, enter, shop, api, look }) => {
  const customer = await shop.customer('aurora')
  const couponCode = await shop.coupon('aurora', customer)
  const token = await enter('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await hand.tap(couponTicket(page).getByRole('button'))
  await api.data(redeemCoupon, { memberCode: customer.memberCode, couponCode }, { token })
  await hand.tap(confirm(page))
  await sheet(page).getByRole('alert').waitFor()
  await look('redeem, refused')
})

test('a redemption that nobody can confirm', async ({ page, hand, enter, shop, trouble, look }) => {
  trouble.expect(/ERR_FAILED/)
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await enter('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await page.route(`**${redeemCoupon.path}`, (route) => route.abort())
  await hand.tap(couponTicket(page).getByRole('button'))
  await hand.tap(confirm(page))
  const check = page.getByRole('button', { name: 'Check status' })
  await check.waitFor()
  await look('redeem, unknown')
  await page.reload()
  await check.waitFor()
  await look('member with an unanswered redemption')
  await hand.tap(check)
  await expect(page.getByText('The coupon has not been redeemed.')).toBeVisible()
  await look('member with an intact coupon')
})

test('the coupons and the points', async ({ page, hand, enter, shop, look }) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await shop.coupon('aurora', customer, 'HOUSE')
  await givePoints('aurora', customer, 5000)
  await enter('aurora')
  const at = (tab: string) => `/aurora/member/home/${tab}?code=${customer.memberCode}`
  await page.goto(at('coupon'))
  await hand.tap(page.getByRole('button', { name: 'Select several' }))
  await page.getByText('0 selected').waitFor()
  await look('coupons, to select')
  await page.goto(at('point'))
  await page.getByRole('img', { name: 'Balance 5,000' }).waitFor()
  await look('points')
  await page.goto(at('point-redeem'))
  await page.getByRole('button', { name: 'House blend' }).waitFor()
  await look('rewards')
  await hand.tap(page.getByRole('radio', { name: 'Against this sale' }))
  await page.getByRole('textbox', { name: 'Points to use' }).waitFor()
  await look('points against a sale')
})

test('the forced logout', async ({ page, hand, enter, shop, look }) => {
  const company = await shop.company()
  const customer = await shop.customer(company)
  await shop.coupon(company, customer)
  await enter(company, await shop.clerk(company))
  await openMember(page, company, customer.memberCode)
  await hand.tap(couponTicket(page).getByRole('button'))
  await shop.revoke(company, 'full', 'couponRedeem')
  await hand.tap(confirm(page))
  await sheet(page).getByRole('button', { name: 'OK' }).waitFor()
  await look('forced logout')
  await hand.tap(sheet(page).getByRole('button', { name: 'OK' }))
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await look('login, permissions changed')
})
