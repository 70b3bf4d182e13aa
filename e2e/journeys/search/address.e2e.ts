import { password } from '../../support/demo/api.ts'
import { expect, rowTag, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// A member named in the address: a till or a QR code leads straight to them.

const grace = [
  'countryCode=1&mobile=2015550123',
  'uniCustomerNo=UAUR10001',
  'cardNumber=6200000010001',
  'code=AUR10001',
  'email=grace.lee@example.com',
]

for (const [n, query] of grace.entries()) {
  test(`${query} opens the member at once`, rowTag(n, 2), async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto(`/aurora/member/search/index?${query}`)
    // Only the code stays in the address: a number there could be read over the counter.
    await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
    await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  })
}

const bad = [
  'code=AUR10001&email=grace.lee@example.com',
  // A repeated parameter names two members.
  'code=AUR10001&code=AUR10002',
  'cardNumber=6200000010001&uniCustomerNo=UAUR10001',
  'mobile=2015550123',
  'countryCode=1',
  'code=AUR10001&countryCode=1',
  'email=grace.lee@example.com&email=grace.lee@example.com',
]

for (const [n, query] of bad.entries()) {
  const name = `${query} names no member, and the page says why`
  test(name, rowTag(n, 2), async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto(`/aurora/member/search/index?${query}`)
    await expect(page.getByText(english('search.badLink'))).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeVisible()
  })
}

const others = ['home/view', 'search/register', 'home/coupon', 'search', 'home']
for (const [n, path] of others.entries()) {
  test(
    `a bad link says so at /member/${path} too`,
    rowTag(n, 2),
    async ({ page, startSession }) => {
      await startSession('aurora')
      await page.goto(`/aurora/member/${path}?code=AUR10001&code=AUR10002`)
      await expect(page.getByText(english('search.badLink'))).toBeVisible()
      await expect(page.getByText('Grace Lee')).toHaveCount(0)
    },
  )
}

test('a look-up opens its member from pages without one', async ({ page, startSession }) => {
  await startSession('aurora')
  for (const path of ['', '/index', '/shift', '/manual', '/login']) {
    await page.goto(`/aurora${path}?code=AUR10001`)
    await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
    await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  }
  await page.goto('/aurora/index?code=AUR10001&code=AUR10002')
  await expect(page.getByText(english('search.badLink'))).toBeVisible()
})

test('a look-up of the start page opens its member after a login too', async ({ page }) => {
  await page.goto('/aurora/index?code=AUR10001')
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
})

test('a bad link says so after a login too', async ({ page }) => {
  await page.goto('/aurora/member/home/view?code=AUR10001&email=grace.lee@example.com')
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(english('search.badLink'))).toBeVisible()
})

test('an unknown member is not found, and the page masks the link’s number', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index?countryCode=1&mobile=2125559999')
  await expect(page.getByRole('heading', { name: english('search.none') })).toBeVisible()
  await expect(page.getByText('+1 •••• 9999')).toBeVisible()
})

test('a number for systems only appears masked in the field', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index?uniCustomerNo=UNOBODY7')
  await expect(page.getByRole('heading', { name: english('search.none') })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Member code' })).toHaveValue('•••• ODY7')
})
