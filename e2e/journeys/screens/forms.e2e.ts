import { createCustomer, updateCustomer } from '@tillside/contract/member'
import { openMember, sheet } from '../../support/portal/member-page.ts'
import { expect } from '../../support/fixtures.ts'
import {
  withVerification,
  codeSentTo,
  fillName,
  unusedMobile,
  openForm,
  registerButton,
} from '../../support/demo/registration.ts'
import { test } from '../../support/judges/inspect.ts'
import { english } from '../../support/portal/catalogue.ts'

// The judges look at the forms and their refusals.

test('registration from the empty form to the new member', async ({
  page,
  user,
  request,
  startSession,
  shop,
  inspect,
}) => {
  const company = await shop.company('aurora', withVerification({ mobile: true, email: false }))
  const customer = await shop.customer(company)
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  await user.tap(registerButton(page))
  await page.getByRole('region', { name: english('reg.problem') }).waitFor()
  await inspect('register, nothing typed')
  await page.getByLabel('Mobile', { exact: true }).fill(customer.mobile)
  await page.getByRole('link', { name: english('reg.openThis') }).waitFor()
  await inspect('register, somebody’s number')
  await user.tap(page.getByRole('button', { name: 'Read' }))
  await sheet(page).getByText('Points have no cash value').waitFor()
  await inspect('register, terms')
  await user.tap(sheet(page).getByRole('button', { name: 'Done' }))
  await expect(sheet(page)).toHaveCount(0)
  const { typed, full } = unusedMobile()
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await fillName(page)
  await user.tap(page.getByRole('button', { name: 'Send code' }))
  const code = page.getByLabel('Verification code')
  await code.fill('000000')
  await expect(page.getByText(english('reg.codeBad')).first()).toBeVisible()
  await inspect('register, wrong code')
  await user.tap(page.getByRole('button', { name: english('reg.turn') }))
  await sheet(page)
    .getByRole('button', { name: english('reg.back') })
    .waitFor()
  await inspect('register, turned to the customer')
  await user.tap(sheet(page).getByRole('button', { name: english('reg.back') }))
  await code.fill(await codeSentTo(request, full))
  await expect(page.getByText('Verified')).toBeVisible()
  await inspect('register, proven')
  await user.tap(page.getByRole('link', { name: 'Back' }))
  await sheet(page).getByRole('button', { name: 'Keep editing' }).waitFor()
  await inspect('register, leaving')
  await user.tap(sheet(page).getByRole('button', { name: 'Keep editing' }))
  await user.tap(registerButton(page))
  await page.getByRole('button', { name: 'Open member' }).waitFor()
  await inspect('registered')
})

test('a registration with an unknown result', async ({
  page,
  user,
  startSession,
  shop,
  browserErrors,
  inspect,
}) => {
  browserErrors.allow(/ERR_FAILED/)
  const company = await shop.company('aurora', withVerification({ mobile: false, email: false }))
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(unusedMobile().typed)
  await fillName(page)
  await page.route(`**${createCustomer.path}`, (route) => route.abort(), { times: 1 })
  await user.tap(registerButton(page))
  const check = page.getByRole('button', { name: 'Check status' })
  await check.waitFor()
  await inspect('register, unknown')
  await user.tap(check)
  await page.getByText(english('reg.intact')).waitFor()
  await inspect('register, intact')
})

test('the profile, saved over and agreed to again', async ({
  page,
  user,
  startSession,
  shop,
  api,
  inspect,
}) => {
  const { memberCode } = await shop.customer('aurora')
  const token = await startSession('aurora')
  await openMember(page, 'aurora', memberCode)
  const again = page.getByRole('button', { name: 'Agree again' })
  await again.waitFor()
  await inspect('member, terms have changed')
  await user.tap(again)
  await sheet(page).getByText('Points have no cash value').waitFor()
  await inspect('terms, to be agreed to again')
  await user.tap(sheet(page).getByRole('button', { name: 'Agree again' }))
  await sheet(page).getByText(english('reg.required')).waitFor()
  await inspect('terms, not answered')
  await user.tap(sheet(page).getByRole('button', { name: 'Cancel' }))
  await user.tap(page.getByRole('link', { name: 'Edit profile' }))
  await page.getByLabel('First name').fill('Adele')
  await inspect('profile')
  const changes = { firstName: 'Augusta' }
  await api.data(updateCustomer, { memberCode, version: 1, changes }, { token })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await user.tap(save)
  await page.getByRole('button', { name: english('prof.takeTheirs') }).waitFor()
  await inspect('profile, changed by somebody else')
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Last name').fill('')
  await user.tap(save)
  await page.getByRole('region', { name: english('reg.problem') }).waitFor()
  await inspect('profile, wrong')
})
