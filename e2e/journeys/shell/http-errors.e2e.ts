import { staffActivity } from '@tillside/contract/activity'
import { getOtherConfig } from '@tillside/contract/company'
import { getCustomerCoupons, getStoreAssignedCoupons } from '@tillside/contract/coupon'
import { membershipInfo } from '@tillside/contract/member'
import { pointHistory } from '@tillside/contract/points'
import { listTransactions } from '@tillside/contract/transaction'
import { expect, test } from '../../support/fixtures.ts'

// Every list shows why it is missing: the HTTP error, or the server's message (specification,
// section 8).

const member = (tab: string) => `/aurora/member/home/${tab}?code=AUR10001`
const lists = [
  [getCustomerCoupons, member('coupon')],
  [getStoreAssignedCoupons, `${member('coupon')}&issue=1`],
  [pointHistory, member('point')],
  [listTransactions, member('transaction')],
  [membershipInfo, member('view')],
  [staffActivity, '/aurora/shift'],
  [getOtherConfig, '/aurora/static'],
] as const

for (const [{ path }, address] of lists) {
  test(`${path} shows its errors where the list would be`, async ({
    page,
    user,
    startSession,
    browserErrors,
  }) => {
    browserErrors.allow(/503/)
    await startSession('aurora')
    await page.route(`**${path}**`, (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(address)
    const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' }).first()
    await expect(alert).toContainText('503:Service Unavailable')
    await page.unroute(`**${path}**`)
    const refusal = { code: 119001, message: 'The books are closed until six.', data: null }
    await page.route(`**${path}**`, (route) => route.fulfill({ json: refusal }))
    await user.tap(alert.getByRole('button', { name: 'Try again' }))
    await expect(alert).toContainText(refusal.message)
    await page.unroute(`**${path}**`)
    await user.tap(alert.getByRole('button', { name: 'Try again' }))
    await expect(alert).toHaveCount(0)
  })
}

test('a list without an answer says so after 120 s, and is not requested again', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  await page.clock.install()
  let requests = 0
  await page.route(`**${staffActivity.path}**`, () => {
    requests += 1
  })
  await page.goto('/aurora/shift')
  const alert = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
  await expect.poll(() => requests).toBe(1)
  await page.clock.runFor(118_000)
  await expect(alert).toHaveCount(0)
  await page.clock.runFor(10_000)
  await expect(alert).toBeVisible()
  expect(requests).toBe(1)
})
