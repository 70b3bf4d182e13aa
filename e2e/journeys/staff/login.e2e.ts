import { login } from '@tillside/contract/auth'
import { password } from '../../support/demo/api.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The login, and each of its refusals.

const words = {
  'en-US': {
    company: 'aurora',
    identifier: 'Business identifier',
    next: 'Continue',
    account: 'Account',
    password: 'Password',
    submit: 'Log in',
    greeting: /^Good (morning|afternoon|evening), Amy$/,
    store: 'Bryant Park · NY001',
  },
  'zh-HK': {
    company: 'harbour',
    identifier: '企業識別碼',
    next: '繼續',
    account: '帳戶名稱',
    password: '密碼',
    submit: '登入',
    greeting: /^Amy，(早晨|午安|晚上好)$/,
    store: '尖沙咀店 · HK021',
  },
} as const

for (const [language, w] of Object.entries(words)) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language })

    test('from the bare address to the modules', async ({ page, user }) => {
      await page.goto('/')
      await expect(page).toHaveURL('/identifier-set')
      await page.getByLabel(w.identifier).fill(w.company)
      await user.tap(page.getByRole('button', { name: w.next }))

      await expect(page).toHaveURL(`/${w.company}/login`)
      await page.getByLabel(w.account, { exact: true }).fill('amy')
      await page.getByLabel(w.password, { exact: true }).fill(password)
      await user.tap(page.getByRole('button', { name: w.submit, exact: true }))

      await expect(page).toHaveURL(`/${w.company}/index`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(w.greeting)
      await expect(page.getByText(w.store)).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    })
  })
}

test.describe('before any script has run', () => {
  test.use({ javaScriptEnabled: false, locale: 'zh-HK' })

  test('the login page holds form, title, language and theme', async ({ page }) => {
    await page.goto('/harbour/login')
    await expect(page).toHaveTitle('港灣餅家櫃位')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
    await expect(page.getByRole('img')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('登入')
    await expect(page.getByLabel('帳戶名稱')).toBeEditable()
    await expect(page.getByLabel('密碼', { exact: true })).toBeEditable()
    const button = page.getByRole('button', { name: '登入', exact: true })
    const ground = () => button.evaluate((element) => getComputedStyle(element).backgroundColor)
    const ofHarbour = await ground()
    await page.goto('/formosa/login')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
    expect(await ground()).not.toBe(ofHarbour)
  })

  test('the first page asks which company', async ({ page }) => {
    await page.goto('/identifier-set')
    await expect(page.getByLabel('企業識別碼')).toBeEditable()
  })
})

test('text that is typed before the script loads is kept', async ({ page, user }) => {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await arrival
    await route.continue()
  })
  await page.goto('/aurora/login', { waitUntil: 'commit' })
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill('Counter#')
  // A click on a form without its script must do nothing: a password must not get into a URL.
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/aurora/login')
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.press('End')
  arrive()

  // The program is there once the password can be shown.
  await expect(async () => {
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(page.getByRole('button', { name: 'Hide password' })).toBeVisible({ timeout: 200 })
  }).toPass()
  await expect(page.getByLabel('Account')).toHaveValue('amy')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Counter#')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await user.press('Enter')
  await expect(page).toHaveURL('/aurora/index')
})

const field = (page: Page) => page.getByLabel('Business identifier')

test.describe('the business identifier', () => {
  test('is required', async ({ page, user }) => {
    await page.goto('/identifier-set')
    await user.tap(page.getByRole('button', { name: 'Continue' }))
    await expect(field(page)).toHaveAccessibleDescription(/Enter your Business identifier/)
  })

  test('that no company has is not found, and stays for a correction', async ({ page, user }) => {
    await page.goto('/identifier-set')
    await field(page).fill('nowhere')
    await user.tap(page.getByRole('button', { name: 'Continue' }))
    await expect(field(page)).toHaveAccessibleDescription(/Not found Business identifier/)
    await expect(field(page)).toHaveValue('nowhere')
    await field(page).fill(' Aurora ')
    await expect(field(page)).not.toHaveAccessibleDescription(/Not found/)
    await user.press('Enter')
    await expect(page).toHaveURL('/aurora/login')
  })

  test('with which this device was used last is offered again', async ({ page }) => {
    await page.goto('/lotus/login')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await page.goto('/identifier-set')
    await expect(field(page)).toHaveValue('lotus')
  })
})

const account = (page: Page) => page.getByLabel('Account')
const secret = (page: Page) => page.getByLabel('Password', { exact: true })
const notice = (page: Page) => page.getByRole('main').getByRole('alert')

async function tryAs(page: Page, name: string, typed: string): Promise<void> {
  await account(page).fill(name)
  await secret(page).fill(typed)
  await page.keyboard.press('Enter')
}

test.describe('a refusal appears at the field to correct:', () => {
  test('nothing typed', async ({ page, user }) => {
    await page.goto('/aurora/login')
    await user.tap(page.getByRole('button', { name: 'Log in' }))
    await expect(account(page)).toHaveAccessibleDescription(english('login.accountReq'))
    await expect(secret(page)).toHaveAccessibleDescription(english('login.passwordReq'))
    await expect(account(page)).toBeFocused()
    await account(page).fill('amy')
    await expect(account(page)).not.toHaveAccessibleDescription(english('login.accountReq'))
    await expect(secret(page)).toHaveAccessibleDescription(english('login.passwordReq'))
  })

  test('an account that does not exist, at the account', async ({ page }) => {
    await page.goto('/aurora/login')
    await tryAs(page, 'nobody', password)
    await expect(account(page)).toHaveAccessibleDescription(english('login.noAccount'))
    await expect(account(page)).toBeFocused()
  })

  test('a wrong password, at the password, which is emptied', async ({ page, shop }) => {
    const clerk = await shop.clerk('aurora')
    await page.goto('/aurora/login')
    await tryAs(page, clerk, 'not the one')
    await expect(secret(page)).toHaveAccessibleDescription(english('login.wrongPassword'))
    await expect(secret(page)).toHaveValue('')
    await expect(secret(page)).toBeFocused()
    await secret(page).fill(password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/aurora/index')
  })

  test('an inactive store, above the button', async ({ page }) => {
    await page.goto('/aurora/login')
    await tryAs(page, 'cleo', password)
    await expect(notice(page)).toHaveText(english('login.storeInactive'))
    await expect(page).toHaveURL('/aurora/login')
  })

  test('too many tries, counting down until the next', async ({ page, shop, api }) => {
    const company = await shop.company()
    const clerk = await shop.clerk(company)
    const wrong = { identifier: company, account: clerk, password: 'not the one' }
    for (let tries = 0; tries < 10; tries++) await api.ask(login, wrong)
    await page.clock.install()
    await page.goto(`/${company}/login`)
    await tryAs(page, clerk, password)
    const wait = page.getByText('Too many attempts.')
    const button = page.getByRole('button', { name: 'Log in' })
    await expect(wait).toContainText('Try again in 15 minutes.')
    await expect(button).toBeDisabled()
    // Minutes first; seconds are counted when there are few of them.
    await page.clock.fastForward('14:00')
    await expect(wait).toContainText(/Try again in ([1-5]?\d|60) seconds?\./)
    await page.clock.fastForward('01:00')
    await expect(wait).toBeHidden()
    await expect(button).toBeEnabled()
    await shop.forgetAttempts()
  })

  test('strangers who try many passwords do not lock out a known device', async ({
    page,
    context,
    shop,
    api,
  }) => {
    const company = await shop.company()
    const clerk = await shop.clerk(company)
    const logInHere = async (): Promise<void> => {
      await page.goto(`/${company}/login`)
      await tryAs(page, clerk, password)
      await expect(page).toHaveURL(`/${company}/index`)
    }
    await logInHere()
    const [device] = await context.cookies().then((all) => all.filter((one) => one.httpOnly))
    expect(device).toMatchObject({ name: 'tillside-device', sameSite: 'Strict', path: '/' })
    const wrong = { identifier: company, account: clerk, password: 'not the one' }
    for (let tries = 0; tries < 12; tries++) await api.ask(login, wrong)
    const right = { ...wrong, password }
    expect(await api.ask(login, right)).toMatchObject({ code: 103005 })
    await page.evaluate(() => localStorage.clear())
    await logInHere()
    await shop.forgetAttempts()
  })

  test('no network, at the button', async ({ page, network }) => {
    await page.goto('/aurora/login')
    await account(page).fill('amy')
    await network.cut()
    const button = page.getByRole('button', { name: 'Log in' })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription("You're offline.")
    await network.restore()
    await expect(button).toBeEnabled()
  })

  test('no answer, above the button', async ({ page, browserErrors }) => {
    browserErrors.allow(/ERR_FAILED/)
    await page.route('**/auth/login', (route) => route.abort())
    await page.goto('/aurora/login')
    await tryAs(page, 'amy', password)
    await expect(notice(page)).toContainText('The server did not answer.')
    await expect(secret(page)).toHaveValue(password)
  })
})

test('the login page of a running session leads to the modules', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/login')
  await expect(page).toHaveURL('/aurora/index')
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
})

test('logging out leaves nothing of the clerk or a member', async ({
  page,
  user,
  startSession,
}) => {
  const token = await startSession('aurora')
  await page.goto('/aurora/member/home/view?code=AUR10001')
  await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  // The bar of a phone's member page has no settings.
  await page.goto('/aurora/member/search/index')
  await user.tap(page.getByRole('button', { name: 'Settings' }))
  await user.tap(page.getByRole('menuitem', { name: 'Logout' }))
  await expect(page).toHaveURL('/aurora/login')
  await expect(page.getByText('Grace')).toBeHidden()
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(kept).not.toMatch(/AUR10001|Grace|amy/)
  expect(kept).not.toContain(token)
})
