import { password } from '../../support/demo/api.ts'
import { expect, rowTag, test } from '../../support/fixtures.ts'
import { english, textsIn } from '../../support/portal/catalogue.ts'

// `lang` in an address (specification, section 2), wherever the address is opened.

test.describe('?lang= chooses the language', () => {
  test('is kept, and disappears from the address', async ({ page }) => {
    await page.goto('/aurora/login?lang=zh-TW')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
    await expect(page.getByLabel('帳號')).toBeVisible()
    await expect(page).toHaveURL('/aurora/login')
    await page.goto('/aurora/login')
    await expect(page.getByLabel('帳號')).toBeVisible()
  })

  const near = [
    ['zh-MO', 'zh-HK'],
    ['zh-Hant', 'zh-TW'],
    ['en-GB', 'en-US'],
  ] as const
  for (const [n, [wish, shown]] of near.entries()) {
    test(`of a near tag: ${wish}`, rowTag(n, 1), async ({ page }) => {
      await page.goto(`/aurora/login?lang=${wish}`)
      await expect(page.locator('html')).toHaveAttribute('lang', shown)
      await expect(page).toHaveURL('/aurora/login')
      await page.reload()
      await expect(page.locator('html')).toHaveAttribute('lang', shown)
      await expect(page.getByText(textsIn(shown).get('sys.langInvalid') ?? '')).toHaveCount(0)
    })
  }

  test('on the page that asks for a company, and at that company', async ({ page }) => {
    await page.goto('/?lang=zh-TW')
    await expect(page).toHaveURL('/identifier-set')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
    await page.getByRole('textbox').fill('aurora')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/aurora/login')
    await expect(page.getByLabel('帳號')).toBeVisible()
  })

  test('at the page after login', async ({ page }) => {
    const redirectUrl = '/aurora/member/search/index?code=AUR10001&lang=zh-HK'
    await page.goto(`/aurora/login?${new URLSearchParams({ redirectUrl })}`)
    await page.getByLabel('Account').fill('amy')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
  })

  test('of the names that the server sends, also of those asked first', async ({
    page,
    startSession,
    shop,
  }) => {
    await startSession('aurora', await shop.clerk('aurora'))
    const address = '/aurora/member/home/view?code=AUR10001'
    // The texts of the language arrive after the first answers.
    await page.route(/zh-CN.*\.js/, async (route) => {
      await new Promise((later) => setTimeout(later, 1500))
      await route.continue()
    })
    await page.goto(address)
    const gold = page.getByText('Gold', { exact: true })
    await expect(gold.first()).toBeVisible()
    await page.goto(`${address}&lang=zh-CN`)
    await expect(page.getByText('金卡会员').first()).toBeVisible()
    await expect(page).toHaveURL(address)
    await expect(gold).toHaveCount(0)
  })

  for (const [n, path] of ['/member/search/index', '/index', '/nowhere'].entries()) {
    const name = `when the portal itself opens ${path}`
    test(name, rowTag(n, 1), async ({ page, startSession, shop }) => {
      await startSession('aurora', await shop.clerk('aurora'))
      await page.goto('/aurora/member/search/register')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.evaluate((address) => {
        history.pushState({}, '', address)
        dispatchEvent(new PopStateEvent('popstate', { state: {} }))
      }, `/aurora${path}?lang=zh-TW&kept=1`)
      await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
      await expect(page).toHaveURL(`/aurora${path}?kept=1`)
    })
  }

  test('unless it is unknown, inside the portal too', async ({ page, startSession }) => {
    await startSession('lotus')
    await page.goto('/lotus/index')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(() => {
      history.pushState({}, '', '/lotus/shift?lang=fr-FR')
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    })
    await expect(page).toHaveURL('/lotus/shift')
    await expect(page.getByText(english('sys.langInvalid'))).toBeVisible()
  })

  for (const [company, wish] of [['aurora', 'fr-FR'] as const, ['lotus', 'zh-HK'] as const]) {
    test(`unless ${company} does not offer ${wish}`, async ({ page }) => {
      await page.goto(`/${company}/login?lang=${wish}`)
      await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
      await expect(page.getByText(english('sys.langInvalid'))).toBeVisible()
    })
  }
})
