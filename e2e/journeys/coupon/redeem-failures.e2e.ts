import { redeemCoupon } from '@tillside/contract/coupon'
import {
  couponsOf,
  couponTicket,
  listenForRedeems,
  openMember,
  sheet,
} from '../../support/portal/member-page.ts'
import { expect, test as base, type Page } from '../../support/fixtures.ts'
import { dropAnswer } from '../../support/browser/drop-answers.ts'
import type { Customer } from '../../support/demo/shop.ts'
import { english } from '../../support/portal/catalogue.ts'

// After every failure a coupon is used once or not at all, and the clerk knows which.

type Counter = { customer: Customer; token: string; sent: string[] }

/** The counter right after the stub was tapped: the sheet asks, nothing has been sent. */
const test = base.extend<{ counter: Counter }>({
  counter: async ({ page, user, startSession, shop }, use) => {
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    const token = await startSession('aurora')
    const sent = listenForRedeems(page)
    await openMember(page, 'aurora', customer.memberCode)
    await user.tap(couponTicket(page).getByRole('button'))
    await expect(sheet(page)).toBeVisible()
    await use({ customer, token, sent })
  },
})

const wire = `**${redeemCoupon.path}`
const confirm = (page: Page) =>
  sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true })
const checkStatus = (page: Page) => page.getByRole('button', { name: 'Check status' })
const unsure = english('rdm.unknown')

test('the answer is lost: unknown, checked, done', async ({
  page,
  user,
  api,
  browserErrors,
  counter: { customer, token, sent },
}) => {
  browserErrors.allow(/ERR_FAILED/)
  await page.route(wire, dropAnswer)
  await user.tap(confirm(page))
  await expect(sheet(page).getByRole('alert')).toHaveText(unsure)
  await expect(confirm(page)).toBeHidden()
  await user.tap(checkStatus(page))
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  await expect(sheet(page).locator('.stamp')).toContainText('Redeemed')
  expect(sent).toHaveLength(1)
  expect(await couponsOf(api, token, customer)).toMatchObject([{ status: 'USED' }])
})

test('the request is lost: unknown, intact, sent again under the same name, used once', async ({
  page,
  user,
  api,
  browserErrors,
  counter: { customer, token, sent },
}) => {
  browserErrors.allow(/ERR_FAILED/)
  await page.route(wire, (route) => route.abort(), { times: 1 })
  await user.tap(confirm(page))
  await expect(sheet(page).getByRole('alert')).toHaveText(unsure)
  expect(await couponsOf(api, token, customer)).toMatchObject([{ status: 'ISSUED' }])
  await user.tap(checkStatus(page))
  await expect(sheet(page)).toContainText(english('rdm.intact'))
  await user.tap(confirm(page))
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  expect(sent).toHaveLength(2)
  expect(sent[0]).toBe(sent[1])
  expect(await couponsOf(api, token, customer)).toMatchObject([{ status: 'USED' }])
})

test('the answer is lost and the page is reloaded: it still asks for a check', async ({
  page,
  user,
  browserErrors,
  counter: { sent },
}) => {
  browserErrors.allow(/ERR_FAILED/)
  await page.route(wire, dropAnswer)
  await user.tap(confirm(page))
  await expect(checkStatus(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(unsure)
  await user.tap(checkStatus(page))
  await expect(page.getByRole('main')).toContainText(english('rdm.ok'))
  expect(sent).toHaveLength(1)
})

test('the server fails: the result is unknown, so it is checked', async ({
  page,
  user,
  browserErrors,
  counter: { sent },
}) => {
  browserErrors.allow(/503/)
  await page.route(wire, (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
  await user.tap(confirm(page))
  const alert = sheet(page).getByRole('alert')
  await expect(alert).toContainText(unsure)
  await expect(alert).toContainText('503:Service Unavailable')
  await user.tap(checkStatus(page))
  await expect(sheet(page)).toContainText(english('rdm.intact'))
  expect(sent).toHaveLength(1)
})

test('until the answer arrives nothing can be closed or sent again', async ({
  page,
  user,
  counter: { sent },
}) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route(wire, async (route) => {
    await answered
    await route.continue()
  })
  await user.tap(confirm(page))
  const busy = sheet(page).getByRole('button', { name: /Redeem/ })
  await expect(busy).toHaveAttribute('aria-busy', 'true')
  await expect(sheet(page).getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await busy.dispatchEvent('click')
  await page.mouse.click(5, 5)
  await expect(sheet(page)).toBeVisible()
  answer()
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  expect(sent).toHaveLength(1)
})

test('two taps at once send one request', async ({ page, counter: { sent } }) => {
  await confirm(page).evaluate((button) => {
    if (!(button instanceof HTMLElement)) throw new Error('no button')
    button.click()
    button.click()
  })
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  expect(sent).toHaveLength(1)
})

base('the Enter that ends a scan does not confirm', async ({ page, user, startSession, shop }) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  const sent = listenForRedeems(page)
  await page.clock.install()
  await openMember(page, 'aurora', customer.memberCode)
  await couponTicket(page).waitFor()
  // From here on the journey moves the clock, so that the 400 ms are the same on every machine.
  await page.clock.pauseAt(Date.now() + 60_000)
  await user.tap(couponTicket(page).getByRole('button'))
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(confirm(page)).toBeAttached({ timeout: 100 })
  }).toPass()
  const enterAfter = async (milliseconds: number) => {
    await page.clock.runFor(milliseconds)
    await confirm(page).focus()
    await page.keyboard.press('Enter')
  }
  await enterAfter(0)
  await enterAfter(360)
  expect(sent).toEqual([])
  await enterAfter(60)
  await expect.poll(() => sent).toHaveLength(1)
})

base(
  'permissions are revoked at work: one message, then the login',
  async ({ page, user, startSession, shop, api }) => {
    const company = await shop.company()
    const customer = await shop.customer(company)
    await shop.coupon(company, customer)
    const clerk = await shop.clerk(company)
    await startSession(company, clerk)
    await openMember(page, company, customer.memberCode)
    await user.tap(couponTicket(page).getByRole('button'))
    await shop.revoke(company, 'full', 'couponRedeem')
    await user.tap(confirm(page))

    const message = english('perm.changed')
    await expect(sheet(page)).toHaveCount(1)
    await expect(sheet(page)).toHaveAccessibleName(message)
    // The refusal says that nothing was redeemed, so there is nothing to check.
    await expect(sheet(page)).not.toContainText(english('perm.checkLast'))
    // The clerk may no longer see the page.
    await expect(page.getByText('Ada Byron')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeVisible()
    await expect(sheet(page).getByRole('button')).toHaveText(['OK'])
    await user.tap(sheet(page).getByRole('button', { name: 'OK' }))
    await expect(page).toHaveURL(`/${company}/login`)
    await expect(page.getByText(message)).toHaveCount(1)

    const { token } = await api.logIn(company, clerk)
    expect(await couponsOf(api, token, customer)).toMatchObject([
      { status: 'ISSUED', notRedeemableReason: 'noPermission' },
    ])
  },
)

test('without a network the button says why it waits', async ({
  page,
  network,
  user,
  counter: { sent },
}) => {
  const reason = english('off.bar')
  await network.cut()
  await expect(confirm(page)).toBeDisabled()
  await expect(confirm(page)).toHaveAccessibleDescription(reason)
  await user.tap(sheet(page).getByRole('button', { name: 'Cancel' }))
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: reason })).toBeVisible()
  const stub = couponTicket(page).getByRole('button')
  await expect(stub).toBeDisabled()
  await expect(stub).toHaveAccessibleDescription(english('off.short'))
  // Loaded data stays, with its age.
  await expect(page.getByText(/as of \d\d:\d\d:\d\d/)).toBeVisible()

  await network.restore()
  await expect(page.getByText('Back online')).toBeVisible()
  await user.tap(stub)
  await user.tap(confirm(page))
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  expect(sent).toHaveLength(1)
})
