import { changePassword } from '@tillside/contract/auth'
import { getPermission } from '@tillside/contract/company'
import { password } from '../../support/demo/api.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import type { User } from '../../support/browser/count-steps.ts'
import { english } from '../../support/portal/catalogue.ts'

// A clerk changes their password: every message in its place (specification, sections 5 and 8).

const next = 'Spring#2027'
const origin = (page: Page) => page.getByLabel('Current password', { exact: true })
const wanted = (page: Page) => page.getByLabel('New password', { exact: true })
const again = (page: Page) => page.getByLabel(english('pw.again'), { exact: true })

async function open(page: Page, user: User, company: string): Promise<void> {
  await page.goto(`/${company}/index`)
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await user.tap(page.getByRole('button', { name: 'Settings' }))
  await user.tap(page.getByRole('menuitem', { name: 'Change Password' }))
  await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible()
}

async function send(page: Page, typed: [string, string, string]): Promise<void> {
  await origin(page).fill(typed[0])
  await wanted(page).fill(typed[1])
  await again(page).fill(typed[2])
  await page.getByRole('button', { name: 'Change', exact: true }).click()
}

test('is not offered to who is not logged in', async ({ page, user }) => {
  await page.goto('/aurora/login')
  await user.tap(page.locator('button[aria-haspopup=menu]'))
  await expect(page.getByRole('menuitemradio').first()).toBeVisible()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
})

test('reports at each field that it is missing or wrong', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  await startSession('aurora', await shop.clerk('aurora'))
  await open(page, user, 'aurora')
  await user.tap(page.getByRole('button', { name: 'Change', exact: true }))
  await expect(origin(page)).toHaveAccessibleDescription(english('pw.currentReq'))
  await expect(origin(page)).toBeFocused()
  await expect(wanted(page)).toHaveAccessibleDescription(/^please type new password/)
  await expect(again(page)).toHaveAccessibleDescription(english('pw.againReq'))
  await expect(wanted(page)).toHaveAccessibleDescription(/8 to 16 characters, no spaces$/)

  await send(page, [password, 'too short', 'other'])
  await expect(wanted(page)).toHaveAccessibleDescription(/^new password format is not correct/)
  await expect(again(page)).toHaveAccessibleDescription(english('pw.mismatch'))
  await send(page, [password, 'Aurora#2026', 'Aurora#2026'])
  await expect(wanted(page)).toHaveAccessibleDescription(/: this password is too common/)
  await send(page, ['not the one', next, next])
  await expect(origin(page)).toHaveAccessibleDescription(english('login.wrongPassword'))
  // The others keep their text.
  await expect(wanted(page)).toHaveValue(next)
  await origin(page).fill(password)
  await expect(origin(page)).not.toHaveAccessibleDescription(english('login.wrongPassword'))
})

test('says that too many were tried, and counts down', async ({
  page,
  user,
  api,
  shop,
  startSession,
}) => {
  const company = await shop.company()
  const clerk = await shop.clerk(company)
  await startSession(company, clerk)
  const { token } = await api.logIn(company, clerk)
  const wrong = { originPassword: 'wrong', newPassword: next, confirm_password: next }
  for (let tries = 0; tries < 10; tries++) await api.ask(changePassword, wrong, { token })
  await page.clock.install()
  await open(page, user, company)
  await send(page, [password, next, next])
  await expect(page.getByText('Too many attempts.')).toContainText(/Try again in 1\d minutes/)
  await expect(page.getByRole('button', { name: 'Change', exact: true })).toBeDisabled()
  await page.clock.fastForward('15:00')
  await expect(page.getByText('Too many attempts.')).toBeHidden()
  await shop.forgetAttempts()
})

test('ends every session and leads to the login', async ({
  page,
  user,
  startSession,
  api,
  shop,
}) => {
  const company = await shop.company()
  const clerk = await shop.clerk(company)
  const elsewhere = await api.logIn(company, clerk)
  await startSession(company, clerk)
  await open(page, user, company)
  await send(page, [password, next, next])
  await expect(page).toHaveURL(`/${company}/login`)
  await expect(page.getByRole('status').filter({ hasText: /./ })).toBeVisible()
  expect(await api.ask(getPermission, {}, elsewhere)).toMatchObject({ code: 401 })
  await page.getByLabel('Account').fill(clerk)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await user.press('Enter')
  await expect(page.getByText(english('login.wrongPassword'))).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(next)
  await user.press('Enter')
  await expect(page).toHaveURL(`/${company}/index`)
})
