import { expect, type Page, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// Today's searches: only the clerk who made them sees them on this device.

const field = (page: Page, method = 'Mobile') => page.getByRole('textbox', { name: method })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent' })
const rows = (page: Page) => recent(page).getByRole('listitem')
const storage = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))

async function openSearch(page: Page) {
  await page.goto('/aurora/member/search/index')
  await page.getByRole('heading', { name: english('search.title') }).waitFor()
}

async function find(page: Page, method: string, text: string) {
  await field(page, method).fill(text)
  await field(page, method).press('Enter')
  await page.getByRole('heading', { level: 1, name: /^(?!Find)/ }).waitFor()
  await page.getByRole('button', { name: 'Next customer' }).filter({ visible: true }).click()
  await page.getByRole('heading', { name: english('search.title') }).waitFor()
}

test(
  'found members are listed masked, the newest first, and a tap finds them again',
  { tag: '@both' },
  async ({ page, startSession, user, shop }) => {
    const { countryCode, mobile, email } = await shop.customer('aurora')
    await startSession('aurora')
    await openSearch(page)
    await expect(recent(page)).toBeHidden()
    await find(page, 'Mobile', mobile)
    await find(page, 'Email', email)
    await find(page, 'Card no.', '6200000010001')
    await expect(rows(page)).toHaveCount(3)
    await expect(rows(page).nth(0)).toContainText(/Card no\.•••• 0001\d\d:\d\d/)
    await expect(rows(page).nth(1)).toContainText(`${email.charAt(0)}•••@`)
    await expect(rows(page).nth(2)).toContainText(`+${countryCode} •••• ${mobile.slice(-4)}`)
    // The peek does not count as a search.
    await field(page).fill('2015550123')
    await expect(page.getByRole('button', { name: /G•••e/ })).toBeVisible()
    await expect(rows(page)).toHaveCount(3)

    await user.tap(rows(page).nth(2).getByRole('button'))
    await expect(page).toHaveURL(/\/member\/home\/view\?code=/)
    await openSearch(page)
    await expect(rows(page)).toHaveCount(3)
    await expect(rows(page).nth(0)).toContainText(mobile.slice(-4))
    await user.tap(recent(page).getByRole('button', { name: 'Clear' }))
    await expect(recent(page)).toBeHidden()
    await page.reload()
    await page.getByRole('heading', { name: english('search.title') }).waitFor()
    await expect(recent(page)).toBeHidden()
  },
)

test('the device keeps searches encrypted, and the key nowhere', async ({
  page,
  startSession,
  shop,
}) => {
  const { mobile, email, memberCode } = await shop.customer('aurora')
  await startSession('aurora')
  const key = page
    .waitForResponse(/searchHistoryKey/)
    .then(async (answer): Promise<unknown> => answer.json())
  await openSearch(page)
  await find(page, 'Mobile', mobile)
  await expect(rows(page)).toHaveCount(1)
  const kept = await storage(page)
  expect(kept).toContain('search-history')
  const secret = /"key":"([^"]+)"/.exec(JSON.stringify(await key))?.[1] ?? ''
  expect(secret).toHaveLength(44)
  for (const plain of [mobile, email, memberCode, secret]) expect(kept).not.toContain(plain)

  // Logging out leaves it there, and another account cannot read it.
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByLabel('Account').fill('ben')
  await page.getByLabel('Password', { exact: true }).fill('Counter#2026')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /Good/ }).waitFor()
  expect(await storage(page)).toContain('search-history')
  await openSearch(page)
  await page.waitForLoadState('networkidle')
  await expect(recent(page)).toBeHidden()
})

test('searches that were changed on the device are dropped silently', async ({
  page,
  startSession,
  shop,
}) => {
  const { mobile } = await shop.customer('aurora')
  await startSession('aurora')
  await openSearch(page)
  await find(page, 'Mobile', mobile)
  await expect(rows(page)).toHaveCount(1)
  await page.evaluate(() => {
    const name = 'tillside:aurora:search-history'
    const text = localStorage.getItem(name) ?? ''
    localStorage.setItem(name, text.replace(/"data":"..../, '"data":"AAAA'))
  })
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expect(recent(page)).toBeHidden()
  await find(page, 'Mobile', mobile)
  await expect(rows(page)).toHaveCount(1)
})

test('five are shown, more on demand, by the hour when there are many', async ({
  page,
  startSession,
  user,
}) => {
  await startSession('aurora')
  await openSearch(page)
  for (const code of ['AUR10001', 'AUR10002', 'AUR10003', 'AUR10004', 'AUR10005', 'AUR10006']) {
    await find(page, 'Member code', code)
  }
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(page).nth(0)).toContainText('•••• 0006')
  await user.tap(recent(page).getByRole('button', { name: 'Show all' }))
  await expect(rows(page)).toHaveCount(6)
  await expect(recent(page).getByRole('heading', { level: 3 })).toHaveCount(0)
})
