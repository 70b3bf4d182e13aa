import { logout } from '@tillside/contract/auth'
import { password } from '../../support/demo/api.ts'
import { expect, rowTag, test, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The target of each address, as section 2 of the specification says.

const logIn = async (page: Page, account = 'amy') => {
  await page.getByLabel('Account').fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test.describe('the first segment is the identifier', () => {
  for (const [n, address] of ['/', '/login', '/index', '/identifier-set'].entries()) {
    test(`${address} names no company`, rowTag(n, 2), async ({ page }) => {
      await page.goto(address)
      await expect(page).toHaveURL('/identifier-set')
      await expect(page.getByLabel('Business identifier')).toBeVisible()
    })
  }

  test('an unknown one leads back to the question', async ({ page }) => {
    await page.goto('/nowhere/index')
    await expect(page).toHaveURL('/identifier-set')
    const field = page.getByLabel('Business identifier')
    await expect(field).toHaveValue('nowhere')
    await expect(field).toHaveAccessibleDescription(/Not found Business identifier/)
  })

  test('settings that cannot be loaded lead there too', async ({ page, browserErrors }) => {
    browserErrors.allow(/ERR_FAILED/)
    await page.route('**/getCustomTheme?*', (route) => route.abort())
    await page.goto('/nowhere/index')
    await expect(page).toHaveURL('/identifier-set')
    await expect(page.getByText(english('idn.configFailed'))).toBeVisible()
  })

  test('settings that the server does not send say why', async ({ page, browserErrors }) => {
    browserErrors.allow(/502/)
    await page.route('**/getCustomTheme?*', (route) => route.fulfill({ status: 502, body: '' }))
    await page.goto('/nowhere/index')
    await expect(page).toHaveURL('/identifier-set')
    await expect(page.getByText('502:Bad Gateway')).toBeVisible()
  })

  test('another spelling of it is the same company', async ({ page }) => {
    await page.goto('/Aurora/login')
    await expect(page).toHaveURL('/aurora/login')
    await expect(page).toHaveTitle('Aurora Coffee counter')
  })

  test('another company is another theme, and knows no session of this one', async ({
    page,
    startSession,
  }) => {
    await startSession('aurora')
    await page.goto('/aurora/index')
    await expect(page).toHaveTitle('Aurora Coffee counter')
    const brand = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))
    const ofAurora = await brand()
    await page.goto('/lotus/index')
    await expect(page).toHaveURL('/lotus/login')
    await expect(page).not.toHaveTitle('Aurora Coffee counter')
    expect(await brand()).not.toBe(ofAurora)
    // The session of the first company ended (one-company.e2e.ts).
    await page.goto('/aurora/index')
    await expect(page).toHaveURL('/aurora/login')
  })
})

test.describe('an address that redirects', () => {
  const onward = [
    ['/aurora', '/aurora/index'],
    ['/aurora/member/home?code=AUR10001', '/aurora/member/home/view?code=AUR10001'],
    // Without a member there is nothing to view.
    ['/aurora/member/home/view', '/aurora/member/search/index'],
    ['/aurora/member', '/aurora/member/search/index'],
    ['/aurora/member/search', '/aurora/member/search/index'],
  ] as const
  for (const [n, [from, to]] of onward.entries()) {
    test(`${from} leads to ${to}`, rowTag(n, 3), async ({ page, startSession }) => {
      await startSession('aurora')
      await page.goto(from)
      await expect(page).toHaveURL(to)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })
  }

  test('the logo leads to the modules', async ({ page, startSession, user }) => {
    await startSession('aurora')
    await page.goto('/aurora/member/search/index')
    await user.tap(page.getByRole('link', { name: 'Aurora Coffee' }))
    await expect(page).toHaveURL('/aurora/index')
  })
})

test.describe('an address that leads nowhere', () => {
  test('says so, and leads home', async ({ page, startSession, user }) => {
    await startSession('aurora')
    await page.goto('/aurora/member/homee')
    await expect(page.getByRole('heading')).toHaveText(english('e404.title'))
    await expect(page.getByText('/aurora/member/homee')).toBeVisible()
    await user.tap(page.getByRole('link', { name: english('e404.home') }))
    await expect(page).toHaveURL('/aurora/index')
  })

  test('is also one that the clerk was not granted', async ({ page, startSession, shop }) => {
    const company = await shop.company('formosa', (definition) => ({
      ...definition,
      groups: definition.groups.map((group) =>
        group.code === 'viewer' ? { ...group, menus: ['booking'] } : group,
      ),
    }))
    const clerk = await shop.clerk(company, 'viewer')
    await startSession(company, clerk)
    await page.goto(`/${company}/index`)
    await expect(page.getByRole('link', { name: 'Tour booking' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Members' })).toHaveCount(0)
    await page.goto(`/${company}/member/search/index`)
    await expect(page.getByRole('heading')).toHaveText(english('e404.title'))
  })

  test('needs a login like any other', async ({ page }) => {
    await page.goto('/aurora/anything')
    await expect(page).toHaveURL('/aurora/login?redirectUrl=%2Faurora%2Fanything')
  })
})

test('a module of another site opens in its own tab, and learns nothing about the portal', async ({
  page,
  context,
  startSession,
  user,
  browserErrors,
}) => {
  const elsewhere = 'https://booking.example.com/formosa'
  browserErrors.allow(/^asked a third party: https:\/\/booking\.example\.com\//)
  const asked: Record<string, string>[] = []
  await context.route(`${elsewhere}**`, (route) => {
    asked.push(route.request().headers())
    return route.fulfill({ contentType: 'text/html', body: '<title>Tours</title>' })
  })
  await startSession('formosa')
  await page.goto('/formosa/index')
  const link = page.getByRole('link', { name: 'Tour booking opens in a new tab' })
  const [opened] = await Promise.all([context.waitForEvent('page'), user.tap(link)])
  await expect(opened).toHaveURL(elsewhere)
  await expect(opened).toHaveTitle('Tours')
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  expect(asked.map(({ authorization, cookie }) => [authorization, cookie])).toEqual([
    [undefined, undefined],
  ])
  await expect(page).toHaveURL('/formosa/index')
})

test.describe('every page needs a login', () => {
  test('without a token, and is led back afterwards', async ({ page }) => {
    await page.goto('/aurora/member/home/view?code=AUR10001')
    await expect(page).toHaveURL(
      '/aurora/login?redirectUrl=%2Faurora%2Fmember%2Fhome%2Fview%3Fcode%3DAUR10001',
    )
    await logIn(page)
    await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
    await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  })

  test('with an expired token, and the page says so', async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto('/aurora/index')
    await page.evaluate((name) => {
      const info = JSON.parse(localStorage.getItem(name) ?? '{}')
      localStorage.setItem(name, JSON.stringify({ ...info, expiresAt: 1_700_000_000 }))
    }, 'tillside:aurora:session')
    await page.goto('/aurora/member/search/index')
    await expect(page).toHaveURL(/\/aurora\/login\?redirectUrl=/)
    await expect(page.getByText(english('login.expired'))).toBeVisible()
  })

  test('when the server ends the session while they work (401)', async ({
    page,
    startSession,
    api,
    user,
    browserErrors,
  }) => {
    browserErrors.allow(/401/)
    const token = await startSession('aurora')
    await page.goto('/aurora/member/search/index')
    await page.getByRole('heading', { name: english('search.title') }).waitFor()
    // Typed first: any late call of the page may find out that the session has ended.
    await user.tap(page.getByRole('button', { name: 'Member code' }))
    await page.getByRole('textbox', { name: 'Member code' }).fill('AUR10001')
    await api.data(logout, {}, { token })
    await user.press('Enter')
    await expect(page).toHaveURL('/aurora/login?redirectUrl=%2Faurora%2Fmember%2Fsearch%2Findex')
    await expect(page.getByText(english('login.authFailed'))).toHaveCount(1)
    await logIn(page)
    await expect(page).toHaveURL('/aurora/member/search/index')
    await expect(page.getByRole('heading', { name: english('search.title') })).toBeVisible()
  })
})

test.describe('the address after login stays within the company', () => {
  const elsewhere = [
    'https://example.com/aurora/index',
    '/lotus/index',
    '//example.com/aurora/index',
    '/\\example.com/aurora/index',
    '/aurora/../lotus/index',
    'javascript:alert(1)',
    '/aurora/login',
  ]
  for (const [n, redirectUrl] of elsewhere.entries()) {
    test(`to ${redirectUrl}`, rowTag(n, 2), async ({ page }) => {
      await page.goto(`/aurora/login?${new URLSearchParams({ redirectUrl })}`)
      await logIn(page)
      await expect(page).toHaveURL('/aurora/index')
    })
  }
})

test.describe('a clerk without permissions', () => {
  test('sees the account and store to report', async ({ page, user }) => {
    await page.goto('/aurora/login')
    await logIn(page, 'dan')
    await expect(page.getByRole('heading')).toHaveText(english('np.text'))
    await expect(page.getByText('Account: dan · Store: NY002')).toBeVisible()
    await page.goto('/aurora/member/search/index')
    await expect(page.getByText('Account: dan · Store: NY002')).toBeVisible()
    await user.tap(page.getByRole('button', { name: 'Logout' }))
    await expect(page).toHaveURL('/aurora/login')
  })
})
