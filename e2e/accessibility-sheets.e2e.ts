import type { Locator } from '@playwright/test'
import { redeemCoupon } from '@tillside/contract/coupon'
import { redeemPoints } from '@tillside/contract/points'
import { couponTicket, openMember, sheet } from './counter.ts'
import { expect, type Page } from './fixtures.ts'
import { test } from './look.ts'
import { givePoints } from './purse.ts'
import type { Customer, Shop } from './shop.ts'

// axe-core finds nothing on the sheets and panels that lie over a page, nor on what lies under.

const main = (page: Page) => page.getByRole('main')

/** Somebody with two coupons and points, so that each sheet has something to say. */
async function regular(shop: Shop): Promise<Customer> {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await shop.coupon('aurora', customer, 'HOUSE')
  await givePoints('aurora', customer, 5000)
  return customer
}

test('the issue panel: the list, what is missing, the question, the answer', async ({
  page,
  hand,
  enter,
  shop,
  look,
}) => {
  const { memberCode } = await regular(shop)
  await enter('aurora')
  await page.goto(`/aurora/member/home/coupon?code=${memberCode}`)
  const issue = { name: 'Issue coupon', exact: true }
  await hand.tap(page.getByRole('button', issue))
  await sheet(page).getByRole('radio', { name: 'With points' }).waitFor()
  await look('issue')
  await hand.tap(sheet(page).getByRole('radio', { name: 'With points' }))
  await look('issue, with points')
  await hand.tap(sheet(page).getByRole('button', { name: 'Any handcrafted drink' }))
  await sheet(page).getByText('5,000 → 3,800 points').waitFor()
  await look('issue, question')
  await hand.tap(sheet(page).getByRole('button', issue))
  await expect(sheet(page)).toHaveAccessibleName('Coupon issued successfully')
  await page.keyboard.press('Shift')
  await look('issue, done')
})

test('several at once: the question and the answer', async ({ page, hand, enter, shop, look }) => {
  const { memberCode } = await regular(shop)
  await enter('aurora')
  await page.goto(`/aurora/member/home/coupon?code=${memberCode}`)
  await hand.tap(page.getByRole('button', { name: 'Select several' }))
  await hand.tap(page.getByRole('button', { name: 'Select all' }))
  const act = { name: 'Redeem 2 coupons', exact: true }
  await hand.tap(page.getByRole('button', act))
  await sheet(page).getByRole('button', act).waitFor()
  await look('batch, question')
  await hand.tap(sheet(page).getByRole('button', act))
  await expect(sheet(page)).toHaveAccessibleName('2 coupons redeemed')
  await page.keyboard.press('Shift')
  await look('batch, done')
})

test('points: where they come from, the question, the answer, the way back', async ({
  page,
  hand,
  enter,
  shop,
  look,
}) => {
  const { memberCode } = await regular(shop)
  await enter('aurora')
  await page.goto(`/aurora/member/home/point?code=${memberCode}`)
  const points = main(page).getByRole('button', { name: /^Points ?5,000$/ })
  await hand.tap(points.last())
  await expect(sheet(page)).toHaveAccessibleName('Where the 5,000 points come from')
  await sheet(page).getByRole('listitem').first().waitFor()
  await look('explain')
  await page.goto(`/aurora/member/home/point-redeem?code=${memberCode}`)
  await hand.tap(page.getByRole('radio', { name: 'Coupons' }))
  await main(page).getByRole('button', { name: 'Any handcrafted drink' }).waitFor()
  await look('coupons for points')
  await hand.tap(page.getByRole('radio', { name: 'Rewards' }))
  await hand.tap(main(page).getByRole('button', { name: 'House blend' }))
  const act = sheet(page).getByRole('button', { name: 'Redeem 1,800 points' })
  await act.waitFor()
  await look('points, question')
  await hand.tap(act)
  await expect(sheet(page)).toHaveAccessibleName('Points redeemed')
  await page.keyboard.press('Shift')
  await look('points, done')
  await hand.tap(sheet(page).getByRole('button', { name: 'Undo' }))
  await expect(sheet(page)).toHaveAccessibleName('Undo this redemption?')
  await look('points, undo')
})

test('the clerk’s shift, empty and full, and its way back', async ({
  page,
  hand,
  enter,
  shop,
  api,
  look,
}) => {
  const { memberCode } = await regular(shop)
  const customer = await shop.customer('aurora')
  const couponCode = await shop.coupon('aurora', customer)
  const token = await enter('aurora', await shop.clerk('aurora'))
  await page.goto('/aurora/shift')
  await page.getByText('Nothing yet today').waitFor()
  await look('shift, empty')
  const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 5000 }
  await api.data(redeemPoints, { memberCode, ...order }, { token })
  await api.data(redeemCoupon, { memberCode: customer.memberCode, couponCode }, { token })
  await page.reload()
  await expect(main(page).getByRole('listitem')).toHaveCount(2)
  await look('shift')
  await hand.tap(main(page).getByRole('button', { name: 'Undo' }).first())
  await expect(sheet(page)).toHaveAccessibleName('Undo this redemption?')
  await look('shift, undo')
})

test('what is unanswered, said on another page', async ({
  page,
  hand,
  enter,
  shop,
  trouble,
  look,
}) => {
  trouble.expect(/ERR_FAILED/)
  const { memberCode } = await regular(shop)
  await enter('aurora')
  await openMember(page, 'aurora', memberCode)
  await page.route(`**${redeemCoupon.path}`, (route) => route.abort())
  await hand.tap(couponTicket(page).getByRole('button', { name: /^Redeem/ }))
  await hand.tap(sheet(page).getByRole('button', { name: 'Redeem coupon', exact: true }))
  await page.getByRole('button', { name: 'Check status' }).waitFor()
  await page.goto('/aurora/member/search/index')
  await page.getByText('1 unanswered').waitFor()
  await look('search, something unanswered')
})

test('the change of a password, asked and refused', async ({ page, hand, enter, shop, look }) => {
  await enter('aurora', await shop.clerk('aurora'))
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await hand.tap(page.getByRole('button', { name: 'Settings' }))
  await hand.tap(page.getByRole('menuitem', { name: 'Change Password' }))
  await expect(sheet(page)).toHaveAccessibleName('Change Password')
  await look('change password')
  await hand.tap(sheet(page).getByRole('button', { name: 'Change', exact: true }))
  await page.getByText('please type current password').waitFor()
  await look('change password, nothing typed')
})

test('the veil over a member', async ({ page, enter, look }) => {
  await enter('aurora')
  await page.clock.install()
  await openMember(page, 'aurora', 'AUR10001')
  await main(page).getByRole('article').first().waitFor()
  await page.clock.fastForward(95_000)
  await page.getByRole('dialog', { name: 'Screen covered for privacy. Tap to continue.' }).waitFor()
  await look('veil')
})

test('letters of twice the size on the narrowest screen hide nothing', async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await enter('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
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
  // The header gives way over a few frames: each row counts as soon as all its pieces stand still.
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
