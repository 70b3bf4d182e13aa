import { createCustomer, updateCustomer } from '@tillside/contract/member'
import { openMember, sheet } from './counter.ts'
import { expect } from './fixtures.ts'
import { asking, codeSentTo, fillName, freeMobile, openForm, registerButton } from './joining.ts'
import { test } from './look.ts'

// axe-core finds nothing on any form, in light and in dark, and nothing is cut off.

test('registration from the empty form to the new member', async ({
  page,
  hand,
  request,
  enter,
  shop,
  look,
}) => {
  const company = await shop.company('aurora', asking({ mobile: true, email: false }))
  const customer = await shop.customer(company)
  await enter(company, await shop.clerk(company))
  await openForm(page, company)
  await hand.tap(registerButton(page))
  await page.getByRole('region', { name: 'There is a problem' }).waitFor()
  await look('register, nothing typed')
  await page.getByLabel('Mobile', { exact: true }).fill(customer.mobile)
  await page.getByRole('link', { name: 'Open this member' }).waitFor()
  await look('register, somebody’s number')
  await hand.tap(page.getByRole('button', { name: 'Read' }))
  await sheet(page).getByText('Points have no cash value').waitFor()
  await look('register, terms')
  await hand.tap(sheet(page).getByRole('button', { name: 'Done' }))
  await expect(sheet(page)).toHaveCount(0)
  const { typed, full } = freeMobile()
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await fillName(page)
  await hand.tap(page.getByRole('button', { name: 'Send code' }))
  const code = page.getByLabel('Verification code')
  await code.fill('000000')
  await expect(page.getByText('Please enter valid verification Code').first()).toBeVisible()
  await look('register, wrong code')
  await hand.tap(page.getByRole('button', { name: 'Turn to customer' }))
  await sheet(page).getByRole('button', { name: 'Done, hand back' }).waitFor()
  await look('register, turned to the customer')
  await hand.tap(sheet(page).getByRole('button', { name: 'Done, hand back' }))
  await code.fill(await codeSentTo(request, full))
  await expect(page.getByText('Verified')).toBeVisible()
  await look('register, proven')
  await hand.tap(page.getByRole('link', { name: 'Back' }))
  await sheet(page).getByRole('button', { name: 'Keep editing' }).waitFor()
  await look('register, leaving')
  await hand.tap(sheet(page).getByRole('button', { name: 'Keep editing' }))
  await hand.tap(registerButton(page))
  await page.getByRole('button', { name: 'Open member' }).waitFor()
  await look('registered')
})

test('a registration that nobody can confirm', async ({
  page,
  hand,
  enter,
  shop,
  trouble,
  look,
}) => {
  trouble.expect(/ERR_FAILED/)
  const company = await shop.company('aurora', asking({ mobile: false, email: false }))
  await enter(company, await shop.clerk(company))
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(freeMobile().typed)
  await fillName(page)
  await page.route(`**${createCustomer.path}`, (route) => route.abort(), { times: 1 })
  await hand.tap(registerButton(page))
  const check = page.getByRole('button', { name: 'Check status' })
  await check.waitFor()
  await look('register, unknown')
  await hand.tap(check)
  await page.getByText('Nobody has been registered yet.').waitFor()
  await look('register, intact')
})

test('the profile, saved over and agreed to again', async ({
  page,
  hand,
  enter,
  shop,
  api,
  look,
}) => {
  const { memberCode } = await shop.customer('aurora')
  const token = await enter('aurora')
  await openMember(page, 'aurora', memberCode)
  const again = page.getByRole('button', { name: 'Agree again' })
  await again.waitFor()
  await look('member, terms have changed')
  await hand.tap(again)
  await sheet(page).getByText('Points have no cash value').waitFor()
  await look('terms, to be agreed to again')
  await hand.tap(sheet(page).getByRole('button', { name: 'Agree again' }))
  await sheet(page).getByText('This field is required').waitFor()
  await look('terms, not answered')
  await hand.tap(sheet(page).getByRole('button', { name: 'Cancel' }))
  await hand.tap(page.getByRole('link', { name: 'Edit profile' }))
  await page.getByLabel('First name').fill('Adele')
  await look('profile')
  const changes = { firstName: 'Augusta' }
  await api.data(updateCustomer, { memberCode, version: 1, changes }, { token })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await hand.tap(save)
  await page.getByRole('button', { name: 'Use what was saved' }).waitFor()
  await look('profile, changed by somebody else')
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Last name').fill('')
  await hand.tap(save)
  await page.getByRole('region', { name: 'There is a problem' }).waitFor()
  await look('profile, wrong')
})
