import { redeemCoupon } from '@tillside/contract/coupon'
import { redeemPoints } from '@tillside/contract/points'
import { birthday, couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, test as base, type Page } from '../../support/fixtures.ts'
import { dropAnswer } from '../../support/browser/drop-answers.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import type { Customer } from '../../support/demo/shop.ts'
import { textsIn, english } from '../../support/portal/catalogue.ts'

// An unanswered redemption is not forgotten when the next customer is served.

const lost = [redeemCoupon, redeemPoints].map(({ path }) => `**${path}`)

/** A customer with a coupon and points, in a shop whose network drops every answer. */
const test = base.extend<{ customer: Customer }>({
  customer: async ({ page, startSession, shop, browserErrors }, use) => {
    browserErrors.allow(/ERR_FAILED/)
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    await givePoints('aurora', customer, 5000)
    await startSession('aurora')
    for (const wire of lost) await page.route(wire, dropAnswer)
    await openMember(page, 'aurora', customer.memberCode)
    await use(customer)
  },
})

const bar = (page: Page) => page.getByRole('status').filter({ hasText: /Results to check: \d/ })
const checkStatus = (page: Page) => page.getByRole('button', { name: 'Check status' })

test(
  'a bar reminds the clerk with the next customer, and leads back to the check',
  { tag: '@both' },
  async ({ page, user, shop, customer }) => {
    await user.tap(couponTicket(page).getByRole('button'))
    await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true }))
    await checkStatus(page).waitFor()
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toHaveCount(0)
    // The pressed button is gone, so the focus moves. The page must not move under the next tap.
    await page.waitForFunction(() => document.activeElement !== document.body)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    // The ticket itself says so, in place of its live button, also after a reload.
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload()
      const unclear = page.getByRole('main').getByRole('article').first()
      await expect(unclear).toContainText('Result unknown')
      await expect(unclear.getByRole('button')).toHaveText(['Check status'])
      await expect(page.getByRole('button', { name: /^Redeem,/ })).toHaveCount(0)
    }
    await expect(bar(page)).toHaveCount(0)

    await user.tap(page.getByRole('button', { name: 'Next customer' }))
    await expect(page).toHaveURL('/aurora/member/search/index')
    await expect(bar(page)).toContainText('Results to check: 1')
    const other = await shop.customer('aurora')
    await openMember(page, 'aurora', other.memberCode)
    await expect(bar(page)).toContainText('Results to check: 1')
    await user.tap(bar(page).getByRole('link', { name: english('una.go') }))
    await expect(page).toHaveURL(`/aurora/member/home/view?code=${customer.memberCode}`)
    await expect(bar(page)).toHaveCount(0)
    await checkStatus(page).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await user.tap(checkStatus(page))
    await expect(page.getByText(english('rdm.ok'))).toBeVisible()
    await page.goto('/aurora/index')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await expect(bar(page)).toHaveCount(0)
  },
)

test('an unclear coupon keeps its name after a reload, though it is used', async ({
  page,
  user,
  customer: _customer,
}) => {
  await user.tap(couponTicket(page).getByRole('button'))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true }))
  await checkStatus(page).waitFor()
  for (const [language, name] of [
    ['en-US', birthday],
    ['zh-HK', '生日禮遇：任選糕點一件'],
  ] as const) {
    await page.goto(`${page.url()}&lang=${language}`)
    const unclear = page.getByRole('main').getByRole('article', { name })
    await expect(unclear).toContainText(textsIn(language).get('rdm.unclear') ?? '')
  }
})

test('points count too, and the bar speaks each language', async ({
  page,
  user,
  customer: _customer,
}) => {
  await user.tap(couponTicket(page).getByRole('button'))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true }))
  await checkStatus(page).waitFor()
  await page.keyboard.press('Escape')
  await user.tap(page.getByRole('link', { name: 'Redeem', exact: true }).first())
  await user.tap(page.getByRole('main').getByRole('button', { name: 'House blend, 250 g' }))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem 1,800 points' }))
  await sheet(page).getByRole('button', { name: 'Check status' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await page.goto('/aurora/member/search/index')
  await expect(bar(page)).toContainText('Results to check: 2')
  for (const language of ['zh-CN', 'zh-HK', 'zh-TW', 'en-US'] as const) {
    await page.goto(`/aurora/member/search/index?lang=${language}`)
    const words = textsIn(language)
    const said = (words.get('una.count') ?? '').replace('{n}', '2')
    await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
    await expect(page.getByRole('link', { name: words.get('una.go') ?? '' })).toBeVisible()
  }
})
