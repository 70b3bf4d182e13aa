import { redeemCoupon } from '@tillside/contract/coupon'
import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { forwardRequest } from '../../support/browser/drop-answers.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The counter has two sides, and a device serves one company at a time.

const cover = (page: Page) => page.getByRole('dialog', { name: english('veil.title') })
const name = (page: Page) => page.getByRole('heading', { name: 'Grace Lee' })

/** The topmost element at the place of the member's name. */
const topmost = (page: Page) =>
  page.evaluate(() => document.elementFromPoint(195, 90)?.closest('dialog')?.textContent)

test.describe('an idle member page', () => {
  test('is covered after 90 seconds, and any touch lifts it', async ({
    page,
    user,
    startSession,
  }) => {
    await startSession('aurora')
    await page.clock.install()
    await openMember(page, 'aurora', 'AUR10001')
    await page.clock.fastForward(80_000)
    await expect(cover(page)).toBeHidden()
    await page.mouse.move(100, 100)
    await page.mouse.move(120, 120)
    await page.clock.fastForward(80_000)
    await expect(cover(page)).toBeHidden()
    await page.clock.fastForward(15_000)
    await expect(cover(page)).toBeVisible()
    // Nothing under it can be reached or read out.
    expect(await topmost(page)).toContain(english('veil.title'))
    const before = page.url()
    await page.mouse.click(200, 300)
    await expect(cover(page)).toBeHidden()
    await expect(name(page)).toBeVisible()
    expect(page.url()).toBe(before)
    await page.clock.fastForward(100_000)
    await expect(cover(page)).toBeVisible()
    await user.press('Escape')
    await expect(cover(page)).toBeHidden()
  })

  test(
    'is covered above a sheet, which stays',
    { tag: '@both' },
    async ({ page, user, startSession, shop }) => {
      await startSession('aurora')
      const customer = await shop.customer('aurora')
      await shop.coupon('aurora', customer)
      await page.clock.install()
      await page.goto(`/aurora/member/home/coupon?code=${customer.memberCode}`)
      await user.tap(couponTicket(page).getByRole('button', { name: 'Redeem' }))
      await expect(sheet(page)).toBeVisible()
      await page.clock.fastForward(95_000)
      await expect(cover(page)).toBeVisible()
      await page.mouse.click(200, 300)
      await expect(cover(page)).toBeHidden()
      await expect(sheet(page)).toBeVisible()
    },
  )

  test('is closed after the company’s minutes', async ({ page, startSession }) => {
    await startSession('aurora')
    await page.clock.install()
    await openMember(page, 'aurora', 'AUR10001')
    await page.clock.fastForward('15:05')
    await expect(page).toHaveURL('/aurora/member/search/index')
    await expect(cover(page)).toBeHidden()
    await expect(page.getByText('Grace Lee')).toHaveCount(0)
  })

  test('stays where the company wants that', async ({ page, startSession, shop }) => {
    const company = await shop.company('aurora', (definition) => ({
      ...definition,
      idleLockMinutes: null,
    }))
    const customer = await shop.customer(company)
    await startSession(company, await shop.clerk(company))
    await page.clock.install()
    await openMember(page, company, customer.memberCode)
    await page.clock.fastForward('30:00')
    await expect(page.getByRole('heading', { name: 'Ada Byron' })).toBeVisible()
  })
})

test('a page that the browser restores notices a logout elsewhere', async ({
  page,
  startSession,
  browserErrors,
}) => {
  // The page may still be loading lists for later.
  browserErrors.allow(/401/)
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await expect(name(page)).toBeVisible()
  await page.evaluate(() => {
    localStorage.removeItem('tillside:aurora:session')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(page).toHaveURL('/aurora/login')
  await expect(page.getByText('Grace Lee')).toHaveCount(0)
})

const warning = (page: Page) => page.getByRole('dialog', { name: english('tab.text') })

test.describe('another tab that turns to another company', () => {
  test('is warned of, and OK leaves a blank page', async ({
    page,
    context,
    user,
    startSession,
    browserErrors,
  }) => {
    // The page may still be loading lists for later when the other tab ends its session.
    browserErrors.allow(/401/)
    await startSession('aurora')
    await openMember(page, 'aurora', 'AUR10001')
    const other = await context.newPage()
    await other.goto('/lotus/login')
    await expect(warning(page)).toBeVisible()
    await user.press('Escape')
    await expect(warning(page)).toBeVisible()
    await user.tap(page.getByRole('button', { name: 'OK' }))
    await expect(page).toHaveTitle('Closed')
    await expect(page.getByRole('main')).toBeEmpty()
    await expect(page.locator('button, a, input')).toHaveCount(0)
    await expect(warning(other)).toBeHidden()
    // The other one continues, and warns when this one opens again.
    await page.reload()
    await expect(warning(other)).toBeVisible()
  })

  test('lets a redemption that is under way finish, once', async ({
    page,
    context,
    user,
    startSession,
    shop,
  }) => {
    await startSession('aurora')
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    await page.goto(`/aurora/member/home/coupon?code=${customer.memberCode}`)
    await user.tap(couponTicket(page).getByRole('button', { name: 'Redeem' }))
    const { promise: leave, resolve: go } = Promise.withResolvers<void>()
    let sent = 0
    await page.route(`**${redeemCoupon.path}`, async (route) => {
      // The server receives the call before the other company is entered, which ends the session.
      const response = await forwardRequest(route)
      sent += 1
      await leave
      await route.fulfill({ response })
    })
    await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon' }))
    await expect.poll(() => sent).toBe(1)
    const other = await context.newPage()
    await other.goto('/lotus/login')
    await expect(warning(page)).toBeVisible()
    await expect(page.getByText(english('perm.checkLast'))).toBeVisible()
    await user.tap(warning(page).getByRole('button', { name: 'OK' }))
    await expect(page).toHaveTitle('Closed')
    const answered = page.waitForResponse(`**${redeemCoupon.path}`)
    go()
    expect(await (await answered).json()).toMatchObject({ code: 0 })
    expect(sent).toBe(1)
    const kept = await page.evaluate(() => Object.keys(sessionStorage))
    expect(kept.filter((key) => key.includes('unanswered'))).toEqual([])
  })
})

test.describe('the company’s own page', () => {
  test('opens from the start page', async ({ page, user, startSession }) => {
    await startSession('aurora')
    await page.goto('/aurora/index')
    await user.tap(page.getByRole('link', { name: 'At the counter' }))
    await expect(page).toHaveURL('/aurora/static')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('At the counter')
    await expect(page.getByText('Read the name back to the customer')).toBeVisible()
    await user.tap(page.getByRole('link', { name: 'Back' }))
    await expect(page).toHaveURL('/aurora/index')
  })

  test('is text, even where it holds markup', async ({ page, startSession, shop }) => {
    const body = [
      '## Rules',
      '- **Smile**, [always](https://example.com/smile)',
      '- <img src=x onerror="alert(1)">',
      '- [never](javascript:alert(1))',
    ].join('\n')
    const company = await shop.company('aurora', (definition) => ({
      ...definition,
      staticPage: { titles: { 'en-US': '<b>House</b>' }, bodies: { 'en-US': body } },
    }))
    await startSession(company, await shop.clerk(company))
    await page.goto(`/${company}/static`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('<b>House</b>')
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Rules')
    await expect(page.getByText('<img src=x onerror="alert(1)">')).toBeVisible()
    const links = page.getByRole('article').getByRole('link')
    await expect(links.filter({ hasText: 'always' })).toHaveAttribute('rel', 'noreferrer')
    await expect(links.filter({ hasText: 'never' })).toHaveCount(0)
    await expect(page.getByRole('article').locator('img')).toHaveCount(0)
  })

  test('is an unknown address where the company has none', async ({ page, startSession, shop }) => {
    const company = await shop.company('aurora', (definition) => ({
      ...definition,
      staticPage: null,
    }))
    await startSession(company, await shop.clerk(company))
    await page.goto(`/${company}/static`)
    await expect(page.getByRole('heading')).toHaveText(english('e404.title'))
  })
})
