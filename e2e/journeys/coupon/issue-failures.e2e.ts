import { issueCouponByPoints } from '@tillside/contract/coupon'
import type { Definition } from '@tillside/server/company/definition'
import { couponsOf, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { english } from '../../support/portal/catalogue.ts'

// A coupon that cannot be issued any more is refused in the specification's words, and costs
// nothing.

const tote = 'Autumn tote, complimentary'
const oneLeft = (id: string) => (definition: Definition) => ({
  ...definition,
  coupons: definition.coupons.map((coupon) =>
    coupon.id === id ? { ...coupon, stock: 1 } : coupon,
  ),
})
const openIssue = (page: Page) => page.getByRole('link', { name: 'Issue coupon' })
const confirm = (page: Page) =>
  sheet(page).getByRole('button', { name: 'Issue coupon', exact: true })

test('another member gets the last one: the sheet says what failed, and why', async ({
  page,
  user,
  startSession,
  shop,
  api,
}) => {
  const company = await shop.company('aurora', oneLeft('TOTE'))
  const customer = await shop.customer(company)
  const quicker = await shop.customer(company)
  const token = await startSession(company, await shop.clerk(company))
  await openMember(page, company, customer.memberCode)
  await user.tap(openIssue(page))
  await user.tap(sheet(page).getByRole('button', { name: tote }))
  await expect(confirm(page)).toBeEnabled()
  await shop.coupon(company, quicker, 'TOTE')
  await user.tap(confirm(page))
  const notice = sheet(page).getByRole('alert')
  await expect(notice.locator('strong')).toHaveText(english('iss.fail'))
  await expect(notice).toContainText('There are none of these coupons left.')
  expect(await couponsOf(api, token, customer)).toEqual([])
})

test('a coupon out of stock costs no points', async ({ page, user, startSession, shop, api }) => {
  const company = await shop.company('aurora', oneLeft('DRINK-FOR-POINTS'))
  const customer = await shop.customer(company)
  const quicker = await shop.customer(company)
  for (const one of [customer, quicker]) await givePoints(company, one, 5000)
  const token = await startSession(company, await shop.clerk(company))
  await openMember(page, company, customer.memberCode)
  await user.tap(openIssue(page))
  await user.tap(sheet(page).getByRole('radio', { name: 'With points' }))
  await user.tap(sheet(page).getByRole('button', { name: 'Issue, Any handcrafted drink' }))
  // The sheet has shown the price of a coupon that was left.
  await expect(confirm(page)).toBeEnabled()
  const order = { memberCode: quicker.memberCode, couponId: 'DRINK-FOR-POINTS', quantity: 1 }
  await api.data(issueCouponByPoints, { ...order, expectedBalance: 5000 }, { token })
  await user.tap(confirm(page))
  const notice = sheet(page).getByRole('alert')
  await expect(notice.locator('strong')).toHaveText(english('rdm.fail'))
  expect(await couponsOf(api, token, customer)).toEqual([])
  await expect(sheet(page)).toContainText('5,000')
})
