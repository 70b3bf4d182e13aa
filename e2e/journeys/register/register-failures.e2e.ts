import { logout } from '@tillside/contract/auth'
import { createCustomer, getOneCustomer } from '@tillside/contract/member'
import type { Route } from '@playwright/test'
import type { Definition } from '@tillside/server/company/definition'
import { password } from '../../support/demo/api.ts'
import { expect, test } from '../../support/fixtures.ts'
import {
  withVerification,
  fillName,
  unusedMobile,
  openForm,
  registerButton,
} from '../../support/demo/registration.ts'
import { dropAnswer } from '../../support/browser/drop-answers.ts'
import { english } from '../../support/portal/catalogue.ts'

// After every failure a customer is one member or none, and the clerk knows which.

const nothing = { mobile: false, email: false }
const wire = `**${createCustomer.path}`

for (const [name, handle] of [
  ['the answer is lost', dropAnswer],
  ['the request is lost', (route: Route) => route.abort()],
  ['the server stumbles', (route: Route) => route.fulfill({ status: 500, body: '' })],
] as const) {
  test(`${name}: a second try makes exactly one member`, async ({
    page,
    user,
    api,
    startSession,
    shop,
    browserErrors,
  }) => {
    browserErrors.allow(/ERR_FAILED|500/)
    const company = await shop.company('aurora', withVerification(nothing))
    const token = await startSession(company, await shop.clerk(company))
    const keys: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(createCustomer.path)) {
        keys.push(request.headers()['idempotency-key'] ?? '')
      }
    })
    const { typed } = unusedMobile()
    await openForm(page, company)
    await page.getByLabel('Mobile', { exact: true }).fill(typed)
    await fillName(page)
    await page.route(wire, handle, { times: 1 })
    await user.tap(registerButton(page))
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      "We couldn't confirm the result.",
    )
    await expect(registerButton(page)).toBeHidden()
    await user.tap(page.getByRole('button', { name: 'Check status' }))
    if (handle !== dropAnswer) {
      await expect(page.getByText(english('reg.intact'))).toBeVisible()
      await expect(page.getByLabel('First name')).toHaveValue('Nora')
      await user.tap(registerButton(page))
    }
    await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
    expect(new Set(keys).size).toBe(1)
    const member = await api.data(getOneCustomer, { countryCode: '1', mobile: typed }, { token })
    expect(member.firstName).toBe('Nora')
  })
}

test('a reload in between is asked about, and keeps nothing of the customer', async ({
  page,
  user,
  startSession,
  shop,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_FAILED/)
  const company = await shop.company('aurora', withVerification(nothing))
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(unusedMobile().typed)
  await fillName(page)
  await page.route(wire, dropAnswer, { times: 1 })
  await user.tap(registerButton(page))
  await page.getByRole('button', { name: 'Check status' }).waitFor()
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
  expect(kept).not.toContain('Nora')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await user.tap(page.getByRole('button', { name: 'Check status' }))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
})

test('without a network nothing is sent and nothing is lost', async ({
  page,
  network,
  user,
  startSession,
  shop,
}) => {
  const company = await shop.company('aurora', withVerification(nothing))
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  const isLookedUp = page.waitForResponse(`**${getOneCustomer.path}?*`)
  await page.getByLabel('Mobile', { exact: true }).fill(unusedMobile().typed)
  await fillName(page)
  await (await isLookedUp).finished()
  await network.cut()
  await expect(registerButton(page)).toBeDisabled()
  await network.restore()
  await user.tap(registerButton(page))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
})

test('a session that is lost meanwhile loses nothing of a half-filled form', async ({
  page,
  user,
  api,
  startSession,
  shop,
  browserErrors,
}) => {
  browserErrors.allow(/401/)
  const company = await shop.company('aurora', withVerification(nothing))
  const account = await shop.clerk(company)
  const token = await startSession(company, account)
  await openForm(page, company)
  const { typed } = unusedMobile()
  await fillName(page)
  await api.data(logout, {}, { token })
  // The number is looked up, which is how the page learns of it.
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await expect(page).toHaveURL(/\/login\?redirectUrl=/)
  await page.getByLabel('Account').fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('First name')).toHaveValue('Nora')
  await expect(page.getByLabel('Last name')).toHaveValue('Bell')
  await expect(page.getByLabel('Mobile', { exact: true })).toHaveValue(/^\(201\) 4/)
  // The consent is the customer's: the form asks for it again.
  await page.getByRole('checkbox', { name: english('reg.terms') }).check()
  await user.tap(registerButton(page))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
})

test('terms that change meanwhile need a new consent', async ({
  page,
  user,
  startSession,
  shop,
  api,
}) => {
  const company = await shop.company('aurora', withVerification(nothing))
  const token = await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  const { typed } = unusedMobile()
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await fillName(page)
  const newer = (definition: Definition) => {
    const changed = withVerification(nothing)(definition)
    return { ...changed, terms: { ...changed.terms, version: '2027-01' } }
  }
  await shop.company('aurora', newer, company)
  await user.tap(registerButton(page))
  const agree = page.getByRole('checkbox', { name: english('reg.terms') })
  await expect(agree).toBeFocused()
  await expect(agree).not.toBeChecked()
  await expect(agree).toHaveAccessibleDescription(/The customer must agree to the terms to join/)
  await expect(page.getByLabel('First name')).toHaveValue('Nora')
  await agree.check()
  await user.tap(registerButton(page))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
  const member = await api.data(getOneCustomer, { countryCode: '1', mobile: typed }, { token })
  expect(member.tnc).toMatchObject({ acceptedVersion: '2027-01', needsResign: false })
})
