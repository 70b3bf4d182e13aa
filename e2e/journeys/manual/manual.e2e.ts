import { expect, test, type Page, rowTag } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The manual inside the portal: every clerk with a session may read it, page after page.

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => main(page).getByRole('heading', { level: 1 })
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('tillside:manual'))

/** Whether the picture has arrived, which it does only when it is looked at. */
const isDrawn = (page: Page) =>
  main(page)
    .getByRole('img')
    .first()
    .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)

test('opens from the start page, leads on, and remembers the pages that were read', async ({
  page,
  user,
  startSession,
}) => {
  await startSession('aurora')
  const pictures: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.webp')) pictures.push(request.url())
  })
  await page.goto('/aurora/index')
  await user.tap(page.getByRole('link', { name: 'User manual' }))
  await expect(page).toHaveURL('/aurora/manual')
  await expect(title(page)).toHaveText('User manual')
  await expect(main(page).getByText('0 of 20 pages read')).toBeVisible()
  await expect(main(page).getByRole('listitem')).toHaveCount(20)
  expect(pictures).toEqual([])
  expect(await kept(page)).toBeNull()

  await user.tap(main(page).getByRole('link', { name: 'Redeem a coupon' }))
  await expect(page).toHaveURL('/aurora/manual/redeem-coupon')
  await expect(title(page)).toHaveText('Redeem a coupon')
  await expect.poll(() => isDrawn(page)).toBe(true)
  const next = main(page).getByRole('link', { name: 'Next Redeem several coupons at once' })
  await next.scrollIntoViewIfNeeded()
  await expect.poll(() => kept(page)).toBe('["redeem-coupon"]')
  await user.tap(next)
  await expect(title(page)).toHaveText('Redeem several coupons at once')
  await expect(title(page)).toBeInViewport()

  await page.goto('/aurora/manual')
  const read = main(page).getByRole('listitem').filter({ hasText: 'Already read' })
  await expect(read.filter({ hasText: 'Redeem a coupon' })).toBeVisible()
  await user.tap(main(page).getByRole('link', { name: 'Back' }))
  await expect(page).toHaveURL('/aurora/index')
})

test(
  'leads from page to page, and speaks the language of the screen',
  { tag: '@both' },
  async ({ page, user, startSession, shop }) => {
    await startSession('aurora', await shop.clerk('aurora'))
    await page.goto('/aurora/manual/first-day')
    await user.tap(main(page).getByRole('link', { name: 'No answer, or no network' }))
    await expect(page).toHaveURL('/aurora/manual/no-answer')
    await expect(title(page)).toHaveText('No answer, or no network')
    const pictureInEnglish = await main(page).getByRole('img').getAttribute('src')
    await user.tap(page.getByRole('button', { name: 'Settings' }))
    await user.tap(page.getByRole('menuitemradio', { name: '繁體中文（香港）', exact: true }))
    await expect(title(page)).toHaveText('沒有結果或網絡中斷')
    await expect(main(page).getByRole('img')).not.toHaveAttribute('src', pictureInEnglish ?? '')
  },
)

test('opens without any permission, and an unknown page of it is not found', async ({
  page,
  user,
  startSession,
}) => {
  await startSession('aurora', 'dan')
  await page.goto('/aurora/index')
  await user.tap(page.getByRole('link', { name: 'User manual' }))
  await expect(main(page).getByRole('listitem')).toHaveCount(20)
  await page.goto('/aurora/manual/nothing')
  await expect(title(page)).toHaveText(english('e404.title'))
})

for (const [n, garbage] of ['{', '"x"', '[1]', 'null'].entries()) {
  test(`works where its memory holds ${garbage}`, rowTag(n, 1), async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto('/aurora/index')
    await page.evaluate((text) => localStorage.setItem('tillside:manual', text), garbage)
    await page.goto('/aurora/manual/my-shift')
    await expect(title(page)).toHaveText('What you did today')
    await main(page).getByRole('link', { name: /^Next/ }).scrollIntoViewIfNeeded()
    await expect.poll(() => kept(page)).toBe('["my-shift"]')
  })
}
