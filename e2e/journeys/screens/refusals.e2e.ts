import { login } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import { password } from '../../support/demo/api.ts'
import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, type Page } from '../../support/fixtures.ts'
import { test } from '../../support/judges/inspect.ts'
import { english } from '../../support/portal/catalogue.ts'

// The judges look at refusals, and at screens that only a sequence of steps leads to.

const confirm = (page: Page) =>
  sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true })

test('the login form and its refusals', async ({ page, user, shop, api, inspect }) => {
  await page.goto('/aurora/login')
  const button = page.getByRole('button', { name: 'Log in' })
  await page.getByLabel('Account').fill('cleo')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await user.tap(button)
  await expect(page.getByText(english('login.storeInactive'))).toBeVisible()
  await inspect('login, inactive store')

  const company = await shop.company()
  const wrong = { identifier: company, account: 'nobody', password: 'not the one' }
  for (let tries = 0; tries < 10; tries++) await api.ask(login, wrong)
  await page.goto(`/${company}/login`)
  await page.getByLabel('Account').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await user.tap(button)
  await expect(page.getByText('Too many attempts.')).toBeVisible()
  await inspect('login, too many tries')
  await shop.forgetAttempts()
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
  await expect(page.getByText(english('login.expired'))).toBeVisible()
  await inspect('login, expired')
})

test('the search, each method and each outcome', async ({
  page,
  network,
  startSession,
  inspect,
}) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  for (const method of ['Card no.', 'Member code', 'Email', 'Mobile']) {
    await page
      .getByRole('group', { name: 'Search by' })
      .getByRole('button', { name: method })
      .click()
    await expect(page.getByRole('textbox', { name: method, exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Please enter the /)).toBeVisible()
    await inspect(`search by ${method}, nothing typed`)
  }
  await network.cut()
  await expect(page.getByRole('button', { name: 'Search' })).toBeDisabled()
  await inspect('search, offline')
})

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
  // A touch keeps the last sheet open.
  await user.tap(confirm(page))
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  await page.keyboard.press('Shift')
  await inspect('redeem, done')
  await user.tap(sheet(page).getByRole('button', { name: 'Done' }))
  await expect(page.getByText(english('home.noCoupons'))).toBeVisible()
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

test('a redemption with an unknown result', async ({
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
  await expect(page.getByText(english('rdm.intact'))).toBeVisible()
  await inspect('member with an intact coupon')
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
