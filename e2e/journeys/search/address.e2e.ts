import { expect, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// A member named in the address: a till or a QR code leads straight to them.

const grace = [
  'cardNumber=6200000010001',
  'countryCode=1&mobile=2015550123',
  'code=AUR10001',
  'uniCustomerNo=UAUR10001',
  'email=grace.lee@example.com',
]

for (const query of grace) {
  test(`${query} opens the member at once`, async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto(`/aurora/member/search/index?${query}`)
    // Only the code stays in the address: a number there could be read over the counter.
    await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
    await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  })
}

const bad = [
  'code=AUR10001&email=grace.lee@example.com',
  'cardNumber=6200000010001&uniCustomerNo=UAUR10001',
  'mobile=2015550123',
  'countryCode=1',
]

for (const query of bad) {
  test(`${query} names no member, and the page says why`, async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto(`/aurora/member/search/index?${query}`)
    await expect(page.getByText(english('search.badLink'))).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeVisible()
  })
}

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
