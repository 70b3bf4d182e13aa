import { givePoints } from '../../support/demo/test-points.ts'
import { expect, type Page, test } from '../../support/fixtures.ts'
import { textsIn } from '../../support/portal/catalogue.ts'
import { couponTicket, sheet } from '../../support/portal/member-page.ts'

// Near the company's limit of one day, the result of an act says how much the clerk has given away.
// Nothing is blocked, and nothing is said before.

const limits = { warn: 2, refuse: 1200 }
const press = (page: Page, name: string) =>
  sheet(page).getByRole('button', { name, exact: true }).click()

test('the count of the day is shown near the limit, and the next act can be done', async ({
  page,
  startSession,
  shop,
}) => {
  const company = await shop.company('aurora', (definition) => ({
    ...definition,
    allowances: {
      ...definition.allowances,
      couponsRedeemed: limits,
      couponsIssued: { ...limits, warn: 1 },
      pointRedemptions: { ...limits, warn: 1 },
      undone: { ...limits, warn: 1 },
    },
  }))
  const customer = await shop.customer(company)
  for (let n = 0; n < 3; n++) await shop.coupon(company, customer)
  await givePoints(company, customer, 5000)
  await startSession(company, await shop.clerk(company))
  const open = (tab: string, language: string) =>
    page.goto(`/${company}/member/home/${tab}?code=${customer.memberCode}&lang=${language}`)

  /** @param there how many coupons the list has before */
  const redeem = async (there: number) => {
    // The list of before may be visible for a moment when a sheet closes.
    await expect(sheet(page)).toHaveCount(0)
    const stubs = couponTicket(page).getByRole('button', { name: /^Redeem/ })
    // Coupons alike are one stack.
    await expect(stubs).toHaveCount(1)
    if (there > 1) await expect(couponTicket(page).getByText(`× ${there}`)).toBeVisible()
    await stubs.first().click()
    await press(page, 'Redeem coupon')
    await expect(sheet(page)).toHaveAccessibleName('Coupon redeemed successfully')
  }
  await open('coupon', 'en-US')
  await redeem(3)
  await expect(sheet(page)).not.toContainText('limit')
  await press(page, 'Done')
  await redeem(2)
  const told = 'You have redeemed 2 coupons today. The limit is 1,200.'
  await expect(sheet(page).getByRole('status').filter({ hasText: told })).toBeVisible()
  await press(page, 'Undo')
  await sheet(page).getByRole('radio').first().check()
  await press(page, 'Undo redemption')
  await expect(sheet(page)).toContainText('You have undone 1 redemption today.')
  await press(page, 'Done')
  await redeem(2)
  await expect(sheet(page)).toContainText('You have redeemed 3 coupons today.')

  const hk = textsIn('zh-HK')
  await open('coupon', 'zh-HK')
  await page.getByRole('button', { name: hk.get('cpn.issue') ?? '' }).click()
  await sheet(page).getByRole('button', { name: '店內現金券10.00' }).click()
  await press(page, hk.get('cpn.issue') ?? '')
  await expect(sheet(page)).toContainText('您今日已派發1張優惠券，上限為1,200張。')

  const tw = textsIn('zh-TW')
  await open('point-redeem', 'zh-TW')
  await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
  await press(page, (tw.get('ex.do') ?? '').replace('{n}', '1,800'))
  await expect(sheet(page)).toContainText('您今天已兌換點數1次，上限為1,200次。')
})
