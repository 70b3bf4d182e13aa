import { expect, test, type Page } from '../../support/fixtures.ts'
import { couponTicket, sheet } from '../../support/portal/member-page.ts'

// The system's Back closes the newest layer first, and never leads to a former customer.

async function findMember(page: Page, mobile: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Mobile' }).fill(mobile)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Ada Byron' }).waitFor()
}

test('Back closes the question, then the panel, and only then the page', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await findMember(page, customer.mobile)
  const overview = page.url()
  await couponTicket(page).getByRole('button').click()
  await expect(sheet(page)).toBeVisible()
  await page.goBack()
  await expect(sheet(page)).toHaveCount(0)
  expect(page.url()).toBe(overview)
  await page.getByRole('navigation').getByRole('link', { name: 'Coupons' }).click()
  await page.getByRole('button', { name: 'Issue coupon' }).filter({ visible: true }).click()
  await expect(sheet(page)).toBeVisible()
  await page.goBack()
  await expect(sheet(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/coupon\?/)
  await page.goBack()
  await expect(page).toHaveURL(overview)
})

for (const [when, ms] of [
  ['before its first frame', 0],
  ['before any other timer or frame', 20],
] as const) {
  test(`Back closes a sheet ${when}`, async ({ page, startSession, shop }) => {
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    await startSession('aurora')
    await page.clock.install()
    await page.goto('/aurora/member/search/index')
    await findMember(page, customer.mobile)
    const redeem = couponTicket(page).getByRole('button')
    // The first sheet loads the program of all.
    await redeem.click()
    await expect(sheet(page)).toBeVisible()
    await page.goBack()
    await expect(sheet(page)).toHaveCount(0)
    await page.clock.pauseAt(Date.now() + 60_000)
    await redeem.dispatchEvent('click')
    // One frame, and the timer that renders the sheet after its paint.
    await page.clock.runFor(ms)
    await expect(sheet(page)).toHaveCount(ms > 0 ? 1 : 0)
    const overview = page.url()
    await page.evaluate(() => history.back())
    // The sheet leaves with an animation, which needs the time to go on.
    await page.clock.resume()
    await expect(sheet(page)).toHaveCount(0)
    expect(page.url()).toBe(overview)
  })
}

test('after Next customer, Back shows no former customer, even after a reload', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  await startSession('aurora')
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).click()
  await findMember(page, customer.mobile)
  await page.getByRole('navigation').getByRole('link', { name: 'Coupons' }).click()
  await page.getByRole('button', { name: 'Next customer' }).filter({ visible: true }).click()
  await expect(page).toHaveURL('/aurora/member/search/index')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
  for (const _ of [1, 2]) {
    await page.goBack()
    // The address is right already before the page has followed it.
    await page.waitForTimeout(300)
    await expect(page.getByRole('textbox', { name: 'Mobile' })).toHaveValue('')
    await expect(page.getByText('Ada Byron')).toHaveCount(0)
    await expect(page).toHaveURL('/aurora/member/search/index')
  }
  // The same customer may return: a new look-up opens the page again.
  await findMember(page, customer.mobile)
})

test('two Backs at once leave no member in the address', async ({ page, startSession, shop }) => {
  const customer = await shop.customer('aurora')
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await findMember(page, customer.mobile)
  for (const name of ['Coupons', 'Points']) {
    await page.getByRole('navigation').getByRole('link', { name }).click()
  }
  await page.getByRole('button', { name: 'Next customer' }).filter({ visible: true }).click()
  await expect(page).toHaveURL('/aurora/member/search/index')
  // The second one may find nothing left to do.
  await Promise.allSettled([page.goBack({ timeout: 2000 }), page.goBack({ timeout: 2000 })])
  await expect(page).toHaveURL('/aurora/member/search/index')
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeVisible()
  await expect(page.getByText('Ada Byron')).toHaveCount(0)
})
