import { getOneCustomer, listConsents, updateCustomer } from '@tillside/contract/member'
import type { Definition } from '@tillside/server/company/definition'
import { openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { unusedMobile } from '../../support/demo/registration.ts'
import { dropAnswer } from '../../support/browser/drop-answers.ts'
import { english } from '../../support/portal/catalogue.ts'

// A profile is corrected by several clerks, consent is renewed, and contacts stay hidden.

const openProfile = async (page: Page, company: string, code: string) => {
  await page.goto(`/${company}/member/home/userinfo?code=${code}`)
  await page.getByLabel('First name').waitFor()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

/** A company whose clerks may also correct contacts. */
const withContacts = (definition: Definition): Definition => ({
  ...definition,
  profileFields: {
    ...definition.profileFields,
    editable: [...definition.profileFields.editable, 'mobile', 'email'],
  },
})

test('a name is corrected, saved and said', async ({ page, user, startSession, shop, api }) => {
  const customer = await shop.customer('aurora')
  const token = await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await user.tap(page.getByRole('link', { name: 'Edit profile' }))
  await expect(save(page)).toBeDisabled()
  await user.press('Control+s')
  await expect(page.getByText(english('prof.noChange'))).toBeVisible()
  const name = await page.getByLabel('First name').inputValue()
  await page.getByLabel('First name').fill('Augusta')
  await expect(save(page)).toBeEnabled()
  await page.getByLabel('First name').fill(name)
  await expect(save(page)).toBeDisabled()
  await page.getByLabel('First name').fill('Augusta')
  await page.getByLabel('Last name').fill('')
  await user.tap(save(page))
  await expect(page.getByLabel('Last name')).toBeFocused()
  await expect(page.getByLabel('Last name')).toHaveAccessibleDescription(english('reg.required'))
  await page.getByLabel('Last name').fill('King')
  await user.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Augusta King')
  const { memberCode: code } = customer
  expect(await api.data(getOneCustomer, { code }, { token })).toMatchObject({
    firstName: 'Augusta',
    lastName: 'King',
    version: 2,
  })
})

test('two clerks: the second keeps the typed values and sees the changes', async ({
  page,
  user,
  startSession,
  shop,
  api,
}) => {
  const { memberCode } = await shop.customer('aurora')
  const token = await startSession('aurora')
  await openProfile(page, 'aurora', memberCode)
  await page.getByLabel('First name').fill('Adele')
  await user.tap(page.getByRole('radio', { name: 'Female' }))
  const changes = { firstName: 'Augusta', birthday: '1990-06-14' }
  await api.data(updateCustomer, { memberCode, version: 1, changes }, { token })
  await user.tap(save(page))
  const notice = page.getByRole('main').getByRole('alert')
  await expect(notice).toContainText('Another clerk has changed this member.')
  await expect(notice).toContainText('Saved: Augusta')
  await expect(notice).toContainText('Your entry: Adele')
  await expect(notice).toContainText('14/06/1990')
  await expect(page.getByLabel('First name')).toHaveValue('Adele')
  await expect(page.getByRole('radio', { name: 'Female' })).toBeChecked()
  await expect(page.getByLabel('Year', { exact: true })).toHaveValue('1990')
  await user.tap(page.getByRole('button', { name: english('prof.takeTheirs') }))
  await expect(page.getByLabel('First name')).toHaveValue('Augusta')
  await user.tap(save(page))
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await api.data(getOneCustomer, { code: memberCode }, { token })).toMatchObject({
    firstName: 'Augusta',
    birthday: '1990-06-14',
    gender: 'F',
    version: 3,
  })
})

test(
  'leaving asks about unsaved changes',
  { tag: '@both' },
  async ({ page, user, startSession, shop }) => {
    const { memberCode } = await shop.customer('aurora')
    await startSession('aurora')
    await openProfile(page, 'aurora', memberCode)
    await page.getByLabel('First name').fill('Adele')
    const overview = page.getByRole('link', { name: 'Overview' })
    await user.tap(overview)
    await expect(sheet(page)).toHaveAccessibleName('Discard changes?')
    await user.tap(sheet(page).getByRole('button', { name: 'Keep editing' }))
    await expect(page.getByLabel('First name')).toHaveValue('Adele')
    await user.tap(overview)
    await user.tap(sheet(page).getByRole('button', { name: 'Discard' }))
    await expect(page.getByRole('heading', { name: english('home.coupons') })).toBeVisible()
    await user.tap(page.getByRole('link', { name: 'Profile', exact: true }))
    await expect(page.getByLabel('First name')).toHaveValue('Ada')
  },
)

test('an answer that is lost is asked for, and the change is saved once', async ({
  page,
  user,
  startSession,
  shop,
  api,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_FAILED/)
  const { memberCode } = await shop.customer('aurora')
  const token = await startSession('aurora')
  await openProfile(page, 'aurora', memberCode)
  await page.getByLabel('First name').fill('Adele')
  await page.route(`**${updateCustomer.path}`, dropAnswer, { times: 1 })
  await user.tap(save(page))
  await user.tap(page.getByRole('button', { name: 'Check status' }))
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await api.data(getOneCustomer, { code: memberCode }, { token })).toMatchObject({
    firstName: 'Adele',
    version: 2,
  })
})

for (const [delivery, maskContacts] of [
  ['sent to the portal whole', false],
  ['sent to the portal masked', true],
] as const) {
  test(`a contact shows for ten seconds, and opens whole for a correction: ${delivery}`, async ({
    page,
    user,
    startSession,
    shop,
    api,
  }) => {
    const company = await shop.company('aurora', (definition) => ({
      ...withContacts(definition),
      maskContacts,
    }))
    const customer = await shop.customer(company)
    const other = await shop.customer(company)
    const { memberCode, mobile } = customer
    const token = await startSession(company, await shop.clerk(company))
    await page.clock.install()
    await openProfile(page, company, memberCode)
    const facts = page.getByRole('main').locator('dl').filter({ hasText: 'Member code' })
    const shown = `(${mobile.slice(0, 3)}) ${mobile.slice(3, 6)}-${mobile.slice(6)}`
    await expect(facts).toContainText(`+1 •••• ${mobile.slice(-4)}`)
    await user.tap(facts.getByRole('button', { name: 'Show number' }))
    await expect(facts).toContainText(`+1 ${shown}`)
    await page.clock.runFor(10_500)
    await expect(facts).not.toContainText(shown)

    await user.tap(facts.getByRole('button', { name: 'Change' }).first())
    const field = page.getByLabel('Mobile', { exact: true })
    await expect(field).toHaveValue(shown)
    await field.fill(other.mobile)
    await user.tap(save(page))
    await expect(field).toHaveAccessibleDescription(english('reg.exists'))
    const { typed } = unusedMobile()
    await field.fill(typed)
    await user.tap(save(page))
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(await api.data(getOneCustomer, { code: memberCode }, { token })).toMatchObject({
      countryCode: '1',
      email: maskContacts ? `e•••@example.com` : customer.email,
    })
    expect(
      await api.data(getOneCustomer, { countryCode: '1', mobile: typed }, { token }),
    ).toMatchObject({ memberCode })
  })
}

test('terms that have changed are agreed to again, of the customer’s own accord', async ({
  page,
  user,
  startSession,
  shop,
  api,
}) => {
  // The shop's own customers have agreed to nothing yet.
  const { memberCode } = await shop.customer('aurora')
  const token = await startSession('aurora')
  await openMember(page, 'aurora', memberCode)
  await expect(page.getByText(english('tnc.changed'))).toBeVisible()
  const again = page.getByRole('button', { name: 'Agree again' })
  await user.tap(again)
  const terms = sheet(page).getByRole('checkbox', { name: english('reg.terms') })
  await expect(sheet(page)).toHaveAccessibleName('Aurora Coffee membership terms')
  await expect(terms).not.toBeChecked()
  await user.tap(sheet(page).getByRole('button', { name: 'Agree again' }))
  await expect(terms).toHaveAccessibleDescription(/must agree to the terms/)
  const offers = sheet(page).getByRole('group', { name: 'Marketing messages' })
  await expect(offers).toHaveAccessibleDescription(/This field is required.*Until now: Not agreed/)
  await expect(offers.getByRole('radio', { checked: true })).toHaveCount(0)

  await user.tap(sheet(page).getByRole('button', { name: english('reg.turn') }))
  await user.tap(sheet(page).getByRole('radio', { name: '简体中文' }))
  await user.tap(sheet(page).getByRole('checkbox', { name: '同意《会员条款》' }))
  await user.tap(sheet(page).getByRole('radio', { name: '已同意', exact: true }))
  await user.tap(sheet(page).getByRole('button', { name: '完成，交还店员' }))
  await expect(terms).toBeChecked()
  await expect(offers.getByRole('radio', { name: 'Agreed', exact: true })).toBeChecked()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await user.tap(sheet(page).getByRole('button', { name: 'Agree again' }))
  await expect(page.getByText(english('tnc.ok'))).toBeVisible()
  await expect(again).toBeHidden()
  const { items } = await api.data(listConsents, { memberCode }, { token })
  expect(items).toMatchObject([
    // In the language that the customer read, which is no longer on the screen.
    { kind: 'terms', agreed: true, version: '2026-03', language: 'zh-CN' },
    { kind: 'marketing', agreed: true, language: 'zh-CN' },
  ])
  await openProfile(page, 'aurora', memberCode)
  await expect(page.getByRole('region', { name: 'Consent' })).toContainText('Terms2026-03Agreed')
})

test('the way from the overview to the coupons that can be issued', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const { memberCode } = await shop.customer('aurora')
  await startSession('aurora')
  await openMember(page, 'aurora', memberCode)
  await user.tap(page.getByRole('link', { name: 'Issue coupon' }))
  await expect(sheet(page)).toHaveAccessibleName('Issue coupon')
})
