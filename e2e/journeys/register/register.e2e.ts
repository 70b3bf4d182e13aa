import { getOneCustomer } from '@tillside/contract/member'
import { expect, test } from '../../support/fixtures.ts'
import {
  withVerification,
  codeSentTo,
  fillName,
  unusedMobile,
  openForm,
  option,
  customField,
  registerButton,
} from '../../support/demo/registration.ts'
import { english } from '../../support/portal/catalogue.ts'

// A customer becomes a member: quickly, once, and with the fields that the company asks for.

const nothing = { mobile: false, email: false }

test('a form that is opened by its address begins with the company’s own country', async ({
  page,
  startSession,
}) => {
  await startSession('harbour')
  await page.goto('/harbour/member/search/register?lang=en-US')
  const country = page.getByRole('combobox', { name: 'Country code' })
  await expect(country).toHaveValue('852')
  await country.selectOption('86')
  await page.getByLabel('Mobile', { exact: true }).fill('131')
  await expect(country).toHaveValue('86')
})

test('J3: the form receives the number of a search without a result', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const company = await shop.company('harbour', withVerification(nothing))
  await startSession(company, await shop.clerk(company))
  await page.goto(`/${company}/member/search/index?lang=en-US`)
  await page.getByRole('textbox', { name: 'Mobile' }).waitFor()
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
  user.countSteps()
  await user.type('51402468')
  await user.tap(page.getByRole('link', { name: english('search.registerThis') }))
  await expect(page.getByLabel('First name')).toBeFocused()
  await expect(page).toHaveURL(`/${company}/member/search/register`)
  await user.type('Nora')
  await user.press('Tab')
  await user.type('Bellam')
  await user.tap(page.getByRole('checkbox', { name: english('reg.terms') }))
  await user.tap(registerButton(page))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nora Bellam is now a member')
  // At most two taps and 19 keys, and one tap for the consent that the law requires.
  expect(user.countSteps()).toEqual({ taps: 3, keys: 19 })
  const open = page.getByRole('button', { name: 'Open member' })
  await expect(open).toBeFocused()
  await user.tap(open)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nora Bellam')
})

test('a mobile number and an e-mail address are proven by codes', async ({
  page,
  user,
  request,
  api,
  startSession,
  shop,
}) => {
  const company = await shop.company('aurora', withVerification({ mobile: true, email: true }))
  const token = await startSession(company, await shop.clerk(company))
  const { typed, full } = unusedMobile()
  const email = `nora.${typed}@example.com`
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await fillName(page)

  await user.tap(registerButton(page))
  await expect(page.getByText(english('reg.sendFirst'))).toBeVisible()

  const [send] = [page.getByRole('button', { name: 'Send code' }).first()]
  await user.tap(send)
  const code = page.getByLabel('Verification code')
  await expect(code).toBeFocused()
  await expect(page.getByText('Code sent by SMS.')).toBeVisible()
  await expect(page.getByText(english('reg.sendFirst'))).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
  await user.tap(registerButton(page))
  await expect(page.getByText(english('reg.codeReq')).first()).toBeVisible()

  const right = await codeSentTo(request, full)
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
  await code.fill(wrong)
  await expect(page.getByText(english('reg.codeBad'))).toBeVisible()
  await expect(code).toHaveValue(wrong)
  await code.fill(right)
  await expect(page.getByText('Verified')).toBeVisible()

  // Another number is not proven; the same one is.
  await page.getByLabel('Mobile', { exact: true }).fill('2014000000')
  await expect(page.getByText('Verified')).toBeHidden()
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await expect(page.getByText('Verified')).toBeVisible()

  await page.getByLabel('E-mail').fill(email)
  await user.tap(page.getByRole('button', { name: 'Send code' }))
  await expect(page.getByText(english('reg.sentEmail'))).toBeVisible()
  await page
    .getByLabel('Verification code')
    .nth(1)
    .fill(await codeSentTo(request, email))
  await expect(page.getByText('Verified')).toHaveCount(2)
  await user.tap(registerButton(page))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
  expect(await api.data(getOneCustomer, { email }, { token })).toMatchObject({
    countryCode: '1',
    mobile: `••••${typed.slice(-4)}`,
    firstName: 'Nora',
    marketingOptIn: false,
    tnc: { needsResign: false },
  })
})

test('a member’s number is reported while the clerk types it', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const company = await shop.company('aurora', withVerification(nothing))
  const customer = await shop.customer(company, { firstName: 'Grace', lastName: 'Lee' })
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(customer.mobile)
  await expect(page.getByText(english('reg.exists'))).toBeVisible()
  await expect(page.getByText('G•••e')).toBeVisible()
  await fillName(page)
  await user.tap(registerButton(page))
  await expect(page.getByLabel('Mobile', { exact: true })).toBeFocused()
  await page.getByLabel('E-mail').fill(customer.email)
  await expect(page.getByText(english('reg.existsEmail'))).toBeVisible()
  await user.tap(page.getByRole('link', { name: english('reg.openThis') }).first())
  await user.tap(page.getByRole('button', { name: 'Discard' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grace Lee')
})

test(
  'a summary and each field show the errors, and nothing is lost',
  { tag: '@both' },
  async ({ page, user, startSession, shop }) => {
    const company = await shop.company('aurora', withVerification(nothing))
    await startSession(company, await shop.clerk(company))
    await openForm(page, company)
    await page.getByLabel('Mobile', { exact: true }).fill('201')
    await page.getByLabel('E-mail').fill('nora@')
    await page.getByLabel('Day', { exact: true }).fill('31')
    await page.getByLabel('Month', { exact: true }).fill('02')
    await page.getByLabel('Year', { exact: true }).fill('1990')
    await user.tap(registerButton(page))
    const summary = page.getByRole('region', { name: english('reg.problem') })
    await expect(summary.getByRole('link')).toHaveText([
      'Mobile: Please enter the correct phone number',
      'E-mail: Please enter the correct email',
      'First name: This field is required',
      'Last name: This field is required',
      'Birthday: Enter a valid date',
      'Consent: The customer must agree to the terms to join.',
    ])
    await expect(page.getByLabel('Mobile', { exact: true })).toBeFocused()
    await user.tap(summary.getByRole('link', { name: /^Birthday/ }))
    await expect(page.getByLabel('Day', { exact: true })).toBeFocused()
    await page.keyboard.type('28')
    // The next field gets the focus by itself, and the error is gone.
    await expect(page.getByLabel('Month', { exact: true })).toBeFocused()
    await expect(summary.getByRole('link', { name: /^Birthday/ })).toBeHidden()
    await expect(page.getByLabel('E-mail')).toHaveValue('nora@')
  },
)

test('a customer below the minimum age is not registered', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const company = await shop.company('aurora', withVerification(nothing))
  await startSession(company, await shop.clerk(company))
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(unusedMobile().typed)
  await fillName(page)
  const born = new Date().getFullYear() - 15
  await page.getByLabel('Day', { exact: true }).fill('01')
  await page.getByLabel('Month', { exact: true }).fill('01')
  await page.getByLabel('Year', { exact: true }).fill(String(born))
  await user.tap(registerButton(page))
  await expect(page.getByText('Members must be at least 16 years old')).toBeVisible()
  await page.getByLabel('Year', { exact: true }).fill(String(born - 2))
  await user.tap(registerButton(page))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
})

test('every kind of field is asked for by its rules and kept', async ({
  page,
  user,
  api,
  startSession,
  shop,
}) => {
  const sizes = [option('S', 'Small'), option('M', 'Medium'), option('L', 'Large')]
  const shops = ['Harbour', 'Park', 'Station', 'Airport'].map((name) => option(name, name))
  const company = await shop.company(
    'aurora',
    withVerification(nothing, [
      customField(
        { name: 'nickname', type: 'text', maxLength: 5, pattern: '[A-Z][a-z]+' },
        'Nickname',
      ),
      customField({ name: 'size', type: 'select', options: sizes }, 'Size'),
      customField({ name: 'shop', type: 'select', options: shops }, 'Usual shop'),
      customField(
        { name: 'drinks', type: 'multiSelect', required: true, options: sizes },
        'Drinks',
      ),
      customField({ name: 'anniversary', type: 'date' }, 'Anniversary'),
      customField({ name: 'work', type: 'email' }, 'Work address'),
      customField({ name: 'news', type: 'boolean' }, 'Newsletter'),
      customField({ name: 'children', type: 'number' }, 'Children'),
      customField({ name: 'address', type: 'region' }, 'Home'),
    ]),
  )
  const token = await startSession(company, await shop.clerk(company))
  const { typed } = unusedMobile()
  await openForm(page, company)
  await page.getByLabel('Mobile', { exact: true }).fill(typed)
  await fillName(page, '美玲', '陳')
  await user.tap(page.getByRole('radio', { name: 'Female' }))
  await page.getByLabel('Nickname').fill('meimei')
  await page.getByLabel('Children').fill('-1')
  await user.tap(registerButton(page))
  await expect(page.getByLabel('Nickname')).toHaveAccessibleDescription(
    'Enter at most 5 characters',
  )
  await expect(page.getByLabel('Children')).toHaveAccessibleDescription(english('reg.positiveInt'))
  await expect(page.getByText('Select at least 1').first()).toBeVisible()

  await page.getByLabel('Nickname').fill('mei')
  await page.getByLabel('Children').fill('2')
  await expect(page.getByLabel('Nickname')).toHaveAccessibleDescription(english('reg.format'))
  await page.getByLabel('Nickname').fill('Mei')
  await user.tap(page.getByRole('radio', { name: 'Medium' }))
  await page.getByLabel('Usual shop').selectOption('Park')
  await page.getByRole('checkbox', { name: 'Large' }).check()
  await page.getByRole('checkbox', { name: 'Small' }).check()
  const anniversary = page.getByRole('group', { name: 'Anniversary' })
  await anniversary.getByLabel('Day').fill('29')
  await anniversary.getByLabel('Month').fill('02')
  await anniversary.getByLabel('Year').fill('2024')
  await page.getByLabel('Work address').fill('Mei@Example.com')
  await page.getByRole('checkbox', { name: 'Newsletter' }).check()
  await user.tap(page.getByRole('button', { name: 'Add address' }))
  await page.getByLabel(english('reg.country')).selectOption({ label: 'Hong Kong' })
  await page.getByLabel('City').selectOption({ index: 1 })
  await page.getByLabel('District').selectOption({ index: 1 })
  await page.getByLabel('Address', { exact: true }).fill('1 Queen’s Road')
  await user.tap(registerButton(page))
  await expect(page.getByText('陳美玲 is now a member')).toBeVisible()
  const member = await api.data(getOneCustomer, { countryCode: '1', mobile: typed }, { token })
  expect(member).toMatchObject({
    gender: 'F',
    address: { country: 'HK', province: null, detail: '1 Queen’s Road' },
    customFields: {
      nickname: 'Mei',
      size: 'M',
      shop: 'Park',
      drinks: ['S', 'L'],
      anniversary: '2024-02-29',
      work: 'Mei@Example.com',
      news: true,
      children: 2,
    },
  })
  expect(member.address?.district).not.toBeNull()
})
