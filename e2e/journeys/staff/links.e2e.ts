import { noPasswordLogin } from '@tillside/contract/auth'
import { getPermission } from '@tillside/contract/company'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// Login links: each works once and leaves no trace.

/** Everything that a page could have kept of a secret. */
const traces = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.title,
      document.referrer,
      history.state,
      document.documentElement.outerHTML,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
    ]),
  )

test('logs in at any address, once, and leaves no trace', async ({ page, shop, api }) => {
  const clerk = await shop.clerk('aurora')
  const token = await shop.link('aurora', clerk)
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer']}`))
  await page.goto(`/aurora/member/home/view?code=AUR10001&token=${token}&lang=zh-TW`)
  await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
  expect(await traces(page)).not.toContain(token)
  // The address itself was asked for with it, and nothing else ever was.
  expect(asked.slice(1).filter((line) => line.includes(token))).toEqual([])
  await page.goBack()
  expect(page.url()).not.toContain(token)
  expect(await api.ask(noPasswordLogin, { accessToken: token })).toMatchObject({ code: 103004 })
})

test('without a company is not used, and the page says so', async ({ page, shop, api }) => {
  const clerk = await shop.clerk('aurora')
  const token = await shop.link('aurora', clerk)
  for (const path of ['/', '/login', '/no-such-company/login']) {
    await page.goto(`${path}?token=${token}`)
    await expect(page.getByText(english('idn.link'))).toBeVisible()
    expect(await traces(page)).not.toContain(token)
  }
  expect(await api.ask(noPasswordLogin, { accessToken: token })).toMatchObject({ code: 0 })
})

test('leads from the login page to the modules', async ({ page, shop }) => {
  const token = await shop.link('aurora', await shop.clerk('aurora'))
  await page.goto(`/aurora/login?token=${token}`, { waitUntil: 'commit' })
  await expect(page).toHaveURL('/aurora/index')
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
})

test('that was used leads to the login, which says so', async ({ page, shop, api, user }) => {
  const clerk = await shop.clerk('aurora')
  const token = await shop.link('aurora', clerk)
  await api.data(noPasswordLogin, { accessToken: token })
  await page.goto(`/aurora/member/search/index?token=${token}`)
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(english('login.tokenBad'))
  await expect(page).toHaveURL('/aurora/login?redirectUrl=%2Faurora%2Fmember%2Fsearch%2Findex')
  await page.getByLabel('Account').fill('amy')
  await user.press('Tab')
  await user.type('Counter#2026')
  await user.press('Enter')
  await expect(page).toHaveURL('/aurora/member/search/index')
})

test('that is none, or another company’s, is refused alike', async ({ page, shop }) => {
  const token = await shop.link('lotus', await shop.clerk('lotus'))
  for (const wrong of ['x', 'a'.repeat(600), '%00%ff', token]) {
    await page.goto(`/aurora/index?token=${wrong}`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('This link has expired')
    await expect(page).toHaveURL('/aurora/login')
  }
})

test.describe('for another account than the one that is logged in', () => {
  test('asks, and stays', async ({ page, shop, startSession, user, api }) => {
    const token = await startSession('aurora')
    const link = await shop.link('aurora', await shop.clerk('aurora'))
    await page.goto(`/aurora/index?token=${link}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in as Kim Porter?')
    await user.tap(page.getByRole('button', { name: /^Stay logged in as Amy/ }))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Amy$/)
    expect(await api.ask(getPermission, {}, { token })).toMatchObject({ code: 0 })
  })

  test('asks, and changes over', async ({ page, shop, startSession, user, api }) => {
    const token = await startSession('aurora')
    const link = await shop.link('aurora', await shop.clerk('aurora'))
    await page.goto(`/aurora/index?token=${link}`)
    await user.tap(page.getByRole('button', { name: 'Log in as Kim Porter' }))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Kim$/)
    expect(await api.ask(getPermission, {}, { token })).toMatchObject({ code: 401 })
  })

  test('says that it is used, and everything stays', async ({ page, shop, startSession, api }) => {
    await startSession('aurora')
    const link = await shop.link('aurora', await shop.clerk('aurora'))
    await api.data(noPasswordLogin, { accessToken: link })
    await page.goto(`/aurora/index?token=${link}`)
    await expect(page.getByText('This link has been used or has expired.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Amy$/)
  })
})

test('for the same account asks nothing', async ({ page, shop, startSession }) => {
  const clerk = await shop.clerk('aurora')
  await startSession('aurora', clerk)
  await page.goto(`/aurora/index?token=${await shop.link('aurora', clerk)}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Kim$/)
  await expect(page).toHaveURL('/aurora/index')
})

test.describe('of another company than the one that is logged in', () => {
  test('asks, and stays', async ({ page, shop, startSession, user, api }) => {
    const token = await startSession('aurora')
    const link = await shop.link('lotus', await shop.clerk('lotus'))
    await page.goto(`/lotus/index?token=${link}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Log in to Lotus/)
    await expect(page.getByText(/is logged in to aurora on this device/)).toBeVisible()
    await user.tap(page.getByRole('button', { name: /^Stay logged in as Amy/ }))
    await expect(page).toHaveURL('/aurora/index')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Amy$/)
    expect(await api.ask(getPermission, {}, { token })).toMatchObject({ code: 0 })
    // The link was not used.
    expect(await api.ask(noPasswordLogin, { accessToken: link })).toMatchObject({ code: 0 })
  })

  test('asks, and changes over', async ({ page, shop, startSession, user, api }) => {
    const token = await startSession('aurora')
    const link = await shop.link('lotus', await shop.clerk('lotus'))
    await page.goto(`/lotus/index?token=${link}`)
    await user.tap(page.getByRole('button', { name: /^Log in to Lotus/ }))
    await expect(page).toHaveURL('/lotus/index')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Kim$/)
    await expect.poll(() => api.ask(getPermission, {}, { token })).toMatchObject({ code: 401 })
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('aurora')
  })
})

test('without an answer can be tried again', async ({ page, shop, browserErrors, user }) => {
  browserErrors.allow(/ERR_FAILED/)
  const token = await shop.link('aurora', await shop.clerk('aurora'))
  await page.route(`**${noPasswordLogin.path}`, (route) => route.abort(), { times: 1 })
  await page.goto(`/aurora/index?token=${token}`)
  await expect(page.getByText('The server did not answer.')).toBeVisible()
  await user.tap(page.getByRole('button', { name: 'Try again' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Kim$/)
})
