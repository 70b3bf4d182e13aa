import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'

test('of many coupons, those alike are one stack, and the list is filtered by name', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  for (let n = 0; n < 13; n++) await shop.coupon('aurora', customer, 'HOUSE')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  const house = couponTicket(page, 'House voucher')
  // The overview has loaded eight coupons.
  await expect(house).toHaveCount(1)
  await expect(house).toContainText('× 7+')
  await user.tap(page.getByRole('navigation').getByRole('link', { name: 'Coupons' }))
  await expect(house).toContainText('× 13')
  await expect(couponTicket(page)).toBeVisible()

  const field = page.getByRole('searchbox', { name: 'Search coupons' })
  await field.fill('voucher house')
  await expect(couponTicket(page)).toHaveCount(0)
  await expect(house).toHaveCount(1)
  await field.fill('nothing like it')
  await expect(page.getByText('No coupon with this name.')).toBeVisible()
  await field.fill('house')
  await user.tap(house.getByRole('button', { name: /^Redeem/ }))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon' }))
  await user.tap(sheet(page).getByRole('button', { name: 'Done' }))
  await expect(house.filter({ hasText: '× 12' })).toBeVisible()
})
