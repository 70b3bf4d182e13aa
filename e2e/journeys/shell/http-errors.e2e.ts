import { staffActivity } from '@tillside/contract/activity'
import { noPasswordLogin } from '@tillside/contract/auth'
import { getOtherConfig } from '@tillside/contract/company'
import { getCustomerCoupons, getStoreAssignedCoupons } from '@tillside/contract/coupon'
import { membershipInfo, resignTnc } from '@tillside/contract/member'
import { pointHistory } from '@tillside/contract/points'
import { listTransactions } from '@tillside/contract/transaction'
import { sendEmailCaptcha, validateEmailCaptcha } from '@tillside/contract/verification'
import { openForm, withVerification } from '../../support/demo/registration.ts'
import { expect, type Page, test, rowTag } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'
import { openMember, sheet } from '../../support/portal/member-page.ts'

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

for (const [n, [{ path }, address]] of lists.entries()) {
  test(
    `${path} shows its errors where the list would be`,
    rowTag(n, 3),
    async ({ page, user, startSession, browserErrors }) => {
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
    },
  )
}

/** Answers a call with this HTTP status. */
const answerWith = (page: Page, status: number, { path }: { path: string }) =>
  page.route(`**${path}`, (route) => route.fulfill({ status, body: '' }))

test('a link login shows its HTTP error', async ({ page, browserErrors }) => {
  browserErrors.allow(/502/)
  await answerWith(page, 502, noPasswordLogin)
  await page.goto('/aurora/index?token=any')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('502:Bad Gateway')
})

test('a verification code shows its HTTP errors at the field', async ({
  page,
  user,
  startSession,
  shop,
  browserErrors,
}) => {
  browserErrors.allow(/50[02]/)
  const proven = withVerification({ mobile: false, email: true })
  const company = await shop.company('aurora', proven)
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  const email = page.getByLabel('E-mail')
  await email.fill(`nora.${company}@example.com`)
  await answerWith(page, 500, sendEmailCaptcha)
  await user.tap(page.getByRole('button', { name: english('reg.send') }))
  await expect(email).toHaveAccessibleDescription(/could not be sent.* 500:Internal Server Error/)
  await page.unroute(`**${sendEmailCaptcha.path}`)
  await user.tap(page.getByRole('button', { name: english('reg.send') }))
  await answerWith(page, 502, validateEmailCaptcha)
  const code = page.getByLabel(english('reg.code'))
  await code.fill('123456')
  await expect(code).toHaveAccessibleDescription(/could not be checked.* 502:Bad Gateway/)
})

test('agreeing again shows the HTTP error, or the message of the server', async ({
  page,
  user,
  startSession,
  shop,
  browserErrors,
}) => {
  browserErrors.allow(/404/)
  const { memberCode } = await shop.customer('aurora')
  await startSession('aurora')
  await openMember(page, 'aurora', memberCode)
  const agree = english('tnc.agree')
  await user.tap(page.getByRole('button', { name: agree }))
  await user.tap(sheet(page).getByRole('checkbox', { name: english('reg.terms') }))
  await user.tap(sheet(page).getByRole('radio', { name: english('prof.yes'), exact: true }))
  const notice = sheet(page)
    .getByRole('alert')
    .filter({ hasText: english('tnc.fail') })
  await answerWith(page, 404, resignTnc)
  await user.tap(sheet(page).getByRole('button', { name: agree }))
  await expect(notice).toContainText('404:Not Found')
  // The buttons at the end of the sheet do not cover it.
  const [shown, button] = await Promise.all(
    [notice, sheet(page).getByRole('button', { name: agree })].map((one) => one.boundingBox()),
  )
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(button?.y ?? 0)
  await page.unroute(`**${resignTnc.path}`)
  const refusal = { code: 119001, message: 'The books are closed until six.', data: null }
  await page.route(`**${resignTnc.path}`, (route) => route.fulfill({ json: refusal }))
  await user.tap(sheet(page).getByRole('button', { name: agree }))
  await expect(notice).toContainText(refusal.message)
})

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
