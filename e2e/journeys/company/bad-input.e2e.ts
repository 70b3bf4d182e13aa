import { getPermission } from '@tillside/contract/company'
import { getOneCustomer } from '@tillside/contract/member'
import { password } from '../../support/demo/api.ts'
import { expect, rowTag, test, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// Every broken address, storage or answer has its screen, and none is white.

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test.describe('an identifier', () => {
  const odd = [
    '/..%2f..%2fetc%2fpasswd',
    '/<script>/login',
    `/${'a'.repeat(10_000)}/login`,
    '/a.b/login',
    '/%ff/login',
    '/%00/login',
    '/aurora%2flogin',
    '/%F0%9F%A5%90/index',
  ]
  for (const [n, path] of odd.entries()) {
    test(`${path.slice(0, 30)} leads to the question which`, rowTag(n, 3), async ({ page }) => {
      await page.goto(path)
      await expect(page).toHaveURL('/identifier-set')
      await expect(page.getByLabel('Business identifier')).toBeVisible()
    })
  }

  const absent = ['/aurora/%2e%2e%2flotus', '/aurora/x.y', '/aurora/%ff']
  for (const [n, path] of absent.entries()) {
    const name = `${path} is a page that does not exist`
    test(name, rowTag(n, 1), async ({ page, startSession, browserErrors }) => {
      browserErrors.allow(/404/)
      await startSession('aurora')
      await page.goto(path)
      await expect(page.getByRole('heading')).toHaveText(english('e404.title'))
    })
  }
})

async function works(page: Page): Promise<void> {
  await page.goto('/aurora/login')
  await logIn(page)
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
  await page.getByRole('link', { name: 'Members' }).click()
  await expect(page.getByRole('heading', { name: english('search.title') })).toBeVisible()
}

test.describe('storage', () => {
  test('that is forbidden costs the session at a reload, and nothing else', async ({ page }) => {
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException('denied', 'SecurityError')
          },
        })
      }
    })
    await works(page)
    await page.reload()
    await expect(page).toHaveURL(/\/aurora\/login/)
    await expect(page.getByLabel('Account')).toBeVisible()
  })

  test('that is full does too', async ({ page }) => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await works(page)
  })

  test('that holds garbage is as good as empty', async ({
    page,
    context,
    baseURL,
    browserErrors,
  }) => {
    // Requests of the page before, whose session was removed.
    browserErrors.allow(/401/)
    const names = ['session', 'permissions', 'method', 'history', 'calling-code']
    const garbage = ['{', 'null', '[]', '{"token":5}', '\u0000']
    for (const text of garbage) {
      const localStorage = [
        ...names.map((name) => ({ name: `tillside:aurora:${name}`, value: text })),
        { name: 'tillside:identifier', value: text },
      ]
      await context.setStorageState({
        cookies: [],
        origins: [{ origin: baseURL ?? '', localStorage }],
      })
      await page.goto('/aurora/member/search/index')
      await expect(page).toHaveURL(/\/aurora\/login\?redirectUrl/)
      await logIn(page)
      await expect(page.getByRole('heading', { name: english('search.title') })).toBeVisible()
    }
  })
})

test.describe('a theme', () => {
  type Boot = { theme: Record<string, unknown> | null }

  /** The page as a server would send it that knows other things of its company. */
  async function changeBoot(page: Page, change: (boot: Boot) => void): Promise<void> {
    await page.route('**/login', async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      const body = html.replace(/(id="boot">)(.*?)(<\/script>)/, (_, begin, json, end) => {
        const boot: Boot = JSON.parse(json)
        change(boot)
        return `${begin}${JSON.stringify(boot).replaceAll('<', '\\u003c')}${end}`
      })
      await route.fulfill({ response, body })
    })
  }

  test('with an invalid colour is requested again', async ({ page }) => {
    await changeBoot(page, ({ theme }) => {
      if (theme !== null) theme['theme'] = { color: 'url(javascript:alert(1))' }
    })
    await page.goto('/aurora/login')
    // The form of the first document does nothing until the script has its theme.
    await page.waitForLoadState('networkidle')
    await logIn(page)
    await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
  })

  test('whose logo fails shows the name', async ({ page, browserErrors }) => {
    browserErrors.allow(/404|ERR_FAILED/)
    await page.route('**/web/logo/**', (route) => route.abort())
    await page.goto('/aurora/login')
    await expect(page.getByText('Aurora Coffee', { exact: true })).toBeVisible()
  })

  test('whose title holds markup shows it as text', async ({ page, shop }) => {
    const title = '</title><img src=x onerror=alert(1)>'
    const company = await shop.company('aurora', (definition) => ({
      ...definition,
      titles: { ...definition.titles, 'en-US': title },
    }))
    await page.goto(`/${company}/login`)
    await expect(page.getByLabel('Account')).toBeVisible()
    await expect(page).toHaveTitle(title)
  })

  const answers = [
    ['of another shape', { json: { code: 0, message: '', data: { name: 5 } } }],
    ['HTML', { contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }],
    ['cut', { contentType: 'application/json', body: '{"code":0,"message":"","da' }],
    ['empty', { status: 204 }],
  ] as const
  for (const [n, [kind, answer]] of answers.entries()) {
    const name = `whose answer is ${kind} leads to the question`
    test(name, rowTag(n, 2), async ({ page, browserErrors }) => {
      browserErrors.allow(/./)
      await changeBoot(page, (boot) => {
        boot.theme = null
      })
      await page.route('**/getCustomTheme?*', (route) => route.fulfill(answer))
      await page.goto('/aurora/login')
      await expect(page).toHaveURL('/identifier-set')
      await expect(page.getByText(english('idn.configFailed'))).toBeVisible()
    })
  }
})

test.describe('an answer that cannot be read', () => {
  const answers = [
    ['of another shape', { json: { code: 0, message: '', data: { appMenus: 'all' } } }],
    ['HTML', { contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }],
    ['cut', { contentType: 'application/json', body: '{"code":0,"mess' }],
    ['an error', { status: 502, contentType: 'text/html', body: 'Bad Gateway' }],
  ] as const
  for (const [n, [name, answer]] of answers.entries()) {
    test(`is ${name}: permissions`, rowTag(n, 2), async ({ page, user, browserErrors }) => {
      browserErrors.allow(/502|NoAnswer/)
      await page.route(`**${getPermission.path}`, (route) => route.fulfill(answer))
      await page.goto('/aurora/login')
      await logIn(page)
      await expect(page.getByText(english('common.loadFailed'))).toBeVisible()
      await page.unroute(`**${getPermission.path}`)
      await user.tap(page.getByRole('button', { name: 'Try again' }))
      await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
    })

    const ofMember = `is ${name}: a member`
    test(ofMember, rowTag(n, 2), async ({ page, user, startSession, browserErrors }) => {
      browserErrors.allow(/502/)
      await startSession('aurora')
      await page.route(`**${getOneCustomer.path}?*`, (route) => route.fulfill(answer))
      await page.goto('/aurora/member/home/view?code=AUR10001')
      const again = page.getByRole('button', { name: 'Try again' }).first()
      await expect(again).toBeVisible()
      await page.unroute(`**${getOneCustomer.path}?*`)
      await user.tap(again)
      await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
    })
  }
})

test.describe('the program itself', () => {
  test('that does not load leaves a text and a link', async ({ page, browserErrors }) => {
    browserErrors.allow(/./)
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await page.goto('/aurora/index')
    await expect(page.getByText(english('slow.10'))).toBeVisible({
      timeout: 15_000,
    })
    await page.unroute('**/assets/main-*.js')
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByLabel('Account')).toBeEditable()
  })

  test('without its texts says so', async ({ page, browserErrors }) => {
    browserErrors.allow(/./)
    await page.route('**/assets/en-US-*.js', (route) => route.abort())
    await page.goto('/aurora/login')
    await expect(page.getByRole('alert')).toHaveText(english('common.loadFailed'))
    await page.unroute('**/assets/en-US-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByLabel('Account')).toBeEditable()
  })

  test('of which a part is gone offers to try again', async ({
    page,
    user,
    startSession,
    browserErrors,
  }) => {
    browserErrors.allow(/./)
    await startSession('aurora')
    await page.goto('/aurora/index')
    await page.getByRole('link', { name: 'Members' }).waitFor()
    await page.route('**/assets/SettingsMenu-*.js', (route) => route.fulfill({ status: 404 }))
    await user.tap(page.getByRole('button', { name: 'Settings' }))
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.unroute('**/assets/SettingsMenu-*.js')
    await user.tap(page.getByRole('button', { name: 'Try again' }))
    await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
  })
})
