import {
  couponTicket,
  listenForRedeems,
  openMember,
  sheet,
} from '../../support/portal/member-page.ts'
import { expect, type Page, test } from '../../support/fixtures.ts'
import { scan } from '../../support/browser/scanner.ts'
import { english } from '../../support/portal/catalogue.ts'

// A scanner at the counter: every kind of code, and every place of the focus.

const grace = (page: Page) => page.getByRole('heading', { name: 'Grace Lee', level: 1 })
const field = (page: Page, method = 'Mobile') => page.getByRole('textbox', { name: method })

async function openSearch(page: Page) {
  await page.goto('/aurora/member/search/index')
  await expect(field(page)).toBeFocused()
}

const shown = [
  ['a card', '6200000010001', 'Card no.'],
  ['a member code', 'AUR10001', 'Member code'],
  ['a member code in small letters', 'aur10001', 'Member code'],
  ['a mobile number with its country', '+12015550123', 'Mobile'],
  ['an e-mail', 'grace.lee@example.com', 'Email'],
  ['a member QR with an address', 'https://shop.example/m?code=AUR10001', 'Member code'],
  ['a member QR with JSON', '{"cardNumber":"6200000010001"}', 'Card no.'],
  ['a member QR of systems', 'https://shop.example/m?uniCustomerNo=UAUR10001', 'Member code'],
] as const

test('each kind of code opens its member at once', async ({ page, startSession, user }) => {
  test.slow()
  await startSession('aurora')
  for (const [what, text] of shown) {
    await test.step(what, async () => {
      await page.goto('/aurora/member/search/index')
      await expect(page.locator('input:focus')).toBeVisible()
      await scan(page, text)
      await expect(grace(page)).toBeVisible()
      await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
      expect(user.countSteps()).toEqual({ taps: 0, keys: 0 })
    })
  }
})

// Only Chromium's driver can press keys as an input method does.
const inputMethod =
  'with the focus nowhere, and a Chinese input method on, a scan is read by its keys'
test(inputMethod, { tag: '@chromium' }, async ({ page, startSession }) => {
  await startSession('aurora')
  await openSearch(page)
  await scan(page, 'AUR10001', { inputMethod: true })
  await expect(grace(page)).toBeVisible()

  await page.goto('/aurora/index')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await page.waitForLoadState('networkidle')
  await scan(page, 'AUR10001', { inputMethod: true })
  await expect(grace(page)).toBeVisible()
})

test('a scanner that sends no Enter is heard when it pauses', async ({ page, startSession }) => {
  await startSession('aurora')
  await openSearch(page)
  await scan(page, '6200000010001', { end: null })
  await expect(grace(page)).toBeVisible()
})

test('an unknown code is reported at the search field', async ({ page, startSession }) => {
  await startSession('aurora')
  await openSearch(page)
  await scan(page, 'https://shop.example/menu')
  await expect(field(page)).toHaveAccessibleDescription(english('scan.notMember'))
  await expect(field(page)).toHaveValue('')
  await scan(page, 'AUR99999')
  await expect(page.getByRole('heading', { name: english('search.none') })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Member code$/ })).toBeVisible()
  await expect(page).toHaveURL('/aurora/member/search/index')
})

test('a coupon opens its owner, and asks about it at once', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  const coupon = await shop.coupon('aurora', customer)
  await startSession('aurora')
  const sent = listenForRedeems(page)
  await openSearch(page)
  await scan(page, coupon)
  await expect(sheet(page)).toBeVisible()
  await expect(page).toHaveURL(
    new RegExp(`/aurora/member/home/coupon\\?code=${customer.memberCode}`),
  )
  // The same scan again, on the sheet that it opened, must not be taken for a yes.
  await scan(page, coupon)
  await scan(page, coupon)
  await expect(sheet(page)).toBeVisible()
  expect(sent).toEqual([])
})

test('on a member’s page a scan is the next customer', async ({ page, startSession, shop }) => {
  const [one, other] = [await shop.customer('aurora'), await shop.customer('aurora')]
  await startSession('aurora')
  await openMember(page, 'aurora', one.memberCode)
  await page.waitForLoadState('networkidle')
  await scan(page, other.cardNumber)
  await expect(page).toHaveURL(`/aurora/member/home/view?code=${other.memberCode}`)
  // The one who is already there is no news.
  await scan(page, other.memberCode)
  await scan(page, 'AUR99999')
  await expect(page.getByText(english('search.none'))).toBeVisible()
  await expect(page).toHaveURL(`/aurora/member/home/view?code=${other.memberCode}`)
})

test('a sheet is never left nor confirmed by a scan; it asks', async ({
  page,
  startSession,
  user,
  shop,
}) => {
  const [one, other] = [await shop.customer('aurora'), await shop.customer('aurora')]
  await shop.coupon('aurora', one)
  await startSession('aurora')
  const sent = listenForRedeems(page)
  await openMember(page, 'aurora', one.memberCode)
  await user.tap(couponTicket(page).getByRole('button'))
  await expect(sheet(page)).toBeVisible()
  await page.waitForTimeout(500)
  await sheet(page).getByRole('button', { name: 'Redeem coupon' }).focus()
  await scan(page, other.memberCode)
  const bar = sheet(page).getByText(english('scan.another'))
  await expect(bar).toBeVisible()
  await user.tap(sheet(page).getByRole('button', { name: 'Stay' }))
  await expect(bar).toBeHidden()
  await expect(sheet(page)).toBeVisible()
  await scan(page, other.memberCode)
  await user.tap(sheet(page).getByRole('button', { name: 'Switch' }))
  await expect(page).toHaveURL(`/aurora/member/home/view?code=${other.memberCode}`)
  await expect(sheet(page)).toBeHidden()
  expect(sent).toEqual([])
})

test('typed text in a field stays unchanged', async ({ page, startSession, shop }) => {
  const [one, other] = [await shop.customer('aurora'), await shop.customer('aurora')]
  await startSession('aurora')
  await page.goto(`/aurora/member/home/coupon?code=${one.memberCode}`)
  const code = page.getByRole('textbox', { name: english('cpn.enterCode') })
  await code.fill('2R0Q')
  await page.waitForLoadState('networkidle')
  // A member's code is no coupon's, even in the field for coupons.
  await scan(page, other.memberCode)
  await expect(page).toHaveURL(`/aurora/member/home/view?code=${other.memberCode}`)
})

test('where scanning is not granted, a scanner types like a hand', async ({
  page,
  startSession,
}) => {
  await startSession('formosa')
  await page.goto('/formosa/member/search/index?lang=en-US')
  await expect(page.getByRole('button', { name: 'Scan' })).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await scan(page, '6200000040001')
  await expect(page).toHaveURL(/\/formosa\/member\/home\/view\?code=FOR10001/)
})
