import type { Locator } from '@playwright/test'
import { redeemCoupon } from '@tillside/contract/coupon'
import { redeemPoints } from '@tillside/contract/points'
import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, type Page } from '../../support/fixtures.ts'
import { test } from '../../support/judges/inspect.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import type { Customer, Shop } from '../../support/demo/shop.ts'
import { doubleText } from '../../support/browser/text-size.ts'
import { english } from '../../support/portal/catalogue.ts'

// The judges look at the sheets and panels over a page.

const main = (page: Page) => page.getByRole('main')

/** A member with two coupons and points, so that each sheet has content. */
async function regular(shop: Shop, company = 'aurora'): Promise<Customer> {
  const customer = await shop.customer(company)
  await shop.coupon(company, customer)
  await shop.coupon(company, customer, 'HOUSE')
  await givePoints(company, customer, 5000)
  return customer
}

test('the issue panel: the list, the missing points, the question, the answer', async ({
  page,
  user,
  startSession,
  shop,
  inspect,
}) => {
  const { memberCode } = await regular(shop)
  await startSession('aurora')
  await page.goto(`/aurora/member/home/coupon?code=${memberCode}`)
  const issue = { name: 'Issue coupon', exact: true }
  await user.tap(page.getByRole('button', issue))
  await sheet(page).getByRole('radio', { name: 'With points' }).waitFor()
  await user.tap(sheet(page).getByRole('radio', { name: 'With points' }))
  await inspect('issue, with points')
  await user.tap(sheet(page).getByRole('button', { name: 'Any handcrafted drink' }))
  await sheet(page).getByText('5,000 → 3,800 points').waitFor()
  await inspect('issue, question')
  await user.tap(sheet(page).getByRole('button', issue))
  await expect(sheet(page)).toHaveAccessibleName(english('iss.ok'))
  await page.keyboard.press('Shift')
  await inspect('issue, done')
})

test('several at once: the question and the answer', async ({
  page,
  user,
  startSession,
  shop,
  inspect,
}) => {
  const { memberCode } = await regular(shop)
  await startSession('aurora')
  await page.goto(`/aurora/member/home/coupon?code=${memberCode}`)
  await user.tap(page.getByRole('button', { name: 'Select several' }))
  await user.tap(page.getByRole('button', { name: 'Select all' }))
  const act = { name: 'Redeem 2 coupons', exact: true }
  await user.tap(page.getByRole('button', act))
  await sheet(page).getByRole('button', act).waitFor()
  await inspect('batch, question')
  await user.tap(sheet(page).getByRole('button', act))
  await expect(sheet(page)).toHaveAccessibleName('2 coupons redeemed')
  await page.keyboard.press('Shift')
  await inspect('batch, done')
})

test('points: the explanation, the question, the answer, the undo', async ({
  page,
  user,
  startSession,
  shop,
  inspect,
}) => {
  const { memberCode } = await regular(shop)
  await startSession('aurora')
  await page.goto(`/aurora/member/home/point?code=${memberCode}`)
  const points = main(page).getByRole('button', { name: /^Points ?5,000 ?Explain$/ })
  await user.tap(points.last())
  await expect(sheet(page)).toHaveAccessibleName('Where the 5,000 points come from')
  await sheet(page).getByRole('listitem').first().waitFor()
  await inspect('explain')
  await page.goto(`/aurora/member/home/point-redeem?code=${memberCode}`)
  await user.tap(page.getByRole('radio', { name: 'Coupons' }))
  await main(page).getByRole('button', { name: 'Any handcrafted drink' }).waitFor()
  await inspect('coupons for points')
  await user.tap(page.getByRole('radio', { name: 'Rewards' }))
  await user.tap(main(page).getByRole('button', { name: 'House blend' }))
  const act = sheet(page).getByRole('button', { name: 'Redeem 1,800 points' })
  await act.waitFor()
  await inspect('points, question')
  await user.tap(act)
  await expect(sheet(page)).toHaveAccessibleName('Points redeemed')
  await page.keyboard.press('Shift')
  await inspect('points, done')
  await user.tap(sheet(page).getByRole('button', { name: 'Undo' }))
  await expect(sheet(page)).toHaveAccessibleName(english('undo.q'))
  await inspect('points, undo')
})

test('the clerk’s shift, empty and full, and its undo', async ({
  page,
  user,
  startSession,
  shop,
  api,
  inspect,
}) => {
  // Its notes must not wait for the clerks of other journeys.
  const company = await shop.company('aurora')
  const { memberCode } = await regular(shop, company)
  const customer = await shop.customer(company)
  const couponCode = await shop.coupon(company, customer)
  const token = await startSession(company, await shop.clerk(company))
  await page.goto(`/${company}/shift`)
  await page.getByText(english('shift.empty')).waitFor()
  await inspect('shift, empty')
  const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 5000 }
  await api.data(redeemPoints, { memberCode, ...order }, { token })
  await api.data(redeemCoupon, { memberCode: customer.memberCode, couponCode }, { token })
  await page.reload()
  await expect(main(page).getByRole('listitem')).toHaveCount(2)
  await inspect('shift')
  await user.tap(main(page).getByRole('button', { name: 'Undo' }).first())
  await expect(sheet(page)).toHaveAccessibleName(english('undo.q'))
  await inspect('shift, undo')

  await page.goto(`/${company}/shift`)
  await user.tap(page.getByRole('button', { name: english('note.leave') }))
  await sheet(page).getByRole('textbox').fill('x'.repeat(501))
  await user.tap(sheet(page).getByRole('button', { name: english('note.leave') }))
  await expect(sheet(page).getByRole('alert')).not.toBeEmpty()
  await inspect('shift, note refused')
  await sheet(page).getByRole('textbox').fill('Ice machine: repair at 15:00')
  await user.tap(sheet(page).getByRole('button', { name: english('note.leave') }))
  await expect(sheet(page)).toHaveCount(0)
  await user.tap(page.getByRole('button', { name: english('note.title') }))
  await inspect('shift, notes')
  // An open page of the portal would load again for the new session.
  await page.goto('about:blank')
  await startSession(company, await shop.clerk(company))
  await page.goto(`/${company}/shift/store`)
  await page.getByRole('table').waitFor()
  await inspect('shift of the store')
  await page.goto(`/${company}/index`)
  await page.getByRole('region', { name: english('note.title') }).waitFor()
  await inspect('start page, note')
})

test('an unanswered redemption on another page', async ({
  page,
  user,
  startSession,
  shop,
  browserErrors,
  inspect,
}) => {
  browserErrors.allow(/ERR_FAILED/)
  const { memberCode } = await regular(shop)
  await startSession('aurora')
  await openMember(page, 'aurora', memberCode)
  await page.route(`**${redeemCoupon.path}`, (route) => route.abort())
  await user.tap(couponTicket(page).getByRole('button', { name: /^Redeem/ }))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true }))
  await page.getByRole('button', { name: 'Check status' }).waitFor()
  await page.goto('/aurora/member/search/index')
  await page.getByText('Results to check: 1').waitFor()
  await inspect('search, something unanswered')
})

test('the change of a password, asked and refused', async ({
  page,
  user,
  startSession,
  shop,
  inspect,
}) => {
  await startSession('aurora', await shop.clerk('aurora'))
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await user.tap(page.getByRole('button', { name: 'Settings' }))
  await user.tap(page.getByRole('menuitem', { name: 'Change Password' }))
  await expect(sheet(page)).toHaveAccessibleName('Change Password')
  await user.tap(sheet(page).getByRole('button', { name: 'Change', exact: true }))
  await page.getByText(english('pw.currentReq')).waitFor()
  await inspect('change password, nothing typed')
})

test('text of twice the size on the narrowest screen hides nothing', async ({
  page,
  startSession,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await doubleText(page)
  const header = page.getByRole('banner')
  const tabs = page.getByRole('navigation', { name: 'Member pages' }).getByRole('link')
  const words = await tabs.locator('span').all()
  const inRow: Locator[][] = [
    [
      header.getByRole('img'),
      header.getByRole('button', { name: 'Scan' }).filter({ visible: true }),
      header.getByRole('button', { name: 'Settings' }),
    ],
    words,
  ]
  // The header shrinks over a few frames: each row counts as soon as its pieces stop moving.
  for (const row of inRow) await expect(() => expectSideBySide(row)).toPass({ timeout: 10_000 })
  const name = page.getByRole('heading', { level: 1 })
  expect((await name.boundingBox())?.width).toBeGreaterThan(100)
})

/** Fails where two neighbours overlap, or the last one leaves the narrowest screen. */
async function expectSideBySide(row: Locator[]): Promise<void> {
  let edge = 0
  for (const piece of row) {
    if (!(await piece.isVisible())) continue
    const { x, width } = (await piece.boundingBox()) ?? { x: -1, width: 0 }
    expect(x).toBeGreaterThanOrEqual(edge)
    edge = x + width
  }
  expect(edge).toBeLessThanOrEqual(320)
}
