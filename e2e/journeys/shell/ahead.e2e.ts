import type { Request } from '@playwright/test'
import { logout } from '@tillside/contract/auth'
import { getOtherConfig } from '@tillside/contract/company'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { listTransactions } from '@tillside/contract/transaction'
import { expect, test, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// A script in the page's head asks for what the address names, while the program still loads.

const overview = '/aurora/member/home/view?code=AUR10001'
const grace = (page: Page) => page.getByRole('heading', { name: 'Grace Lee', level: 1 })
const ticket = (page: Page) => page.getByRole('article').first()

/** Holds the program's files back; the script in the head is a part of the page. */
async function holdProgram(page: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.fallback()
  })
  return async () => {
    resolve()
    await page.unroute('**/assets/*.js')
  }
}

/** Collects the portal's requests to the server, by method and address. */
function collectCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/web/api/')) calls.push(`${request.method()} ${pathname}${search}`)
  })
  return calls
}

test('the member, the coupons and the receipt are asked for once, before the program', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  const calls = collectCalls(page)
  const release = await holdProgram(page)
  await page.goto(overview, { waitUntil: 'commit' })
  await expect.poll(() => calls.length).toBe(6)
  const ahead = calls.toSorted()
  await release()
  await expect(grace(page)).toBeVisible()
  await expect(ticket(page)).toBeVisible()
  await expect(page.getByText(english('home.lastTx'))).toBeVisible()
  await page.waitForLoadState('networkidle')
  // Nothing is asked twice: the look-up has one audit row, and counts once.
  for (const call of ahead)
    expect([call, calls.filter((one) => one === call).length]).toEqual([call, 1])
  expect(await page.evaluate(() => 'tillsideAhead' in globalThis)).toBe(false)
})

const once = 'the overview is drawn once, with the answers that are there'
// Firefox does not report layout shifts.
test(once, { tag: ['@chromium', '@both'] }, async ({ page, startSession }) => {
  await startSession('aurora')
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const moved = list.getEntries().map((entry) => Number(Reflect.get(entry, 'value')))
      const before = Number(Reflect.get(globalThis, 'moved') ?? 0)
      Reflect.set(
        globalThis,
        'moved',
        moved.reduce((sum, one) => sum + one, before),
      )
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const release = await holdProgram(page)
  const receipts = page.waitForResponse(`**${listTransactions.path}*`)
  await page.goto(overview, { waitUntil: 'commit' })
  await receipts
  await release()
  await expect(ticket(page)).toBeVisible()
  await page.waitForTimeout(300)
  // No placeholder gave way to data. The font moves less than this.
  const moved = await page.evaluate(() => Number(Reflect.get(globalThis, 'moved') ?? 0))
  expect(moved).toBeLessThan(0.001)
})

test('a page in another language takes no answer of the first one', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  // A page whose program starts in another language than its script.
  await page.route('**/aurora/member/home/**', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace('"language":"en-US","version"', '"language":"zh-CN","version"')
    expect(body).not.toBe(html)
    await route.fulfill({ response, body })
  })
  const languages: string[] = []
  page.on('request', (request) => {
    const isMember = request.url().includes(membershipInfo.path)
    if (isMember) languages.push(request.headers()['user-language'] ?? '')
  })
  await page.goto(overview)
  await expect(grace(page)).toBeVisible()
  await expect(page.getByText('积分').first()).toBeVisible()
  await expect(ticket(page)).toBeVisible()
  expect(languages).toEqual(['en-US', 'zh-CN'])
})

test('after a logout in another tab, no answer of the script is shown', async ({
  page,
  context,
  startSession,
}) => {
  await startSession('aurora')
  const release = await holdProgram(page)
  const answered = page.waitForResponse(`**${getOneCustomer.path}*`)
  await page.goto(overview, { waitUntil: 'commit' })
  await answered
  const other = await context.newPage()
  await other.goto('/aurora/index')
  await other.getByRole('link', { name: 'Members' }).waitFor()
  await other.evaluate(() => localStorage.removeItem('tillside:aurora:session'))
  await release()
  await expect(page.getByLabel('Account')).toBeVisible()
  await expect(page.getByText('Grace')).toHaveCount(0)
  expect(await page.evaluate(() => 'tillsideAhead' in globalThis)).toBe(false)
})

test('another clerk who has logged in meanwhile asks again', async ({
  page,
  context,
  shop,
  startSession,
}) => {
  const first = await startSession('aurora')
  const release = await holdProgram(page)
  const tokens: string[] = []
  page.on('request', (request) => {
    if (!request.url().includes(getOneCustomer.path)) return
    tokens.push(request.headers()['authorization']?.slice('Bearer '.length) ?? '')
  })
  await page.goto(overview, { waitUntil: 'commit' })
  await expect.poll(() => tokens).toEqual([first])
  const info = await shop.session('aurora', 'ben')
  const other = await context.newPage()
  await other.goto('/aurora/index')
  await other.evaluate(
    (text) => localStorage.setItem('tillside:aurora:session', text),
    JSON.stringify(info),
  )
  await release()
  await expect(grace(page)).toBeVisible()
  expect(tokens).toEqual([first, info.token])
})

test('a session that the server has ended leads to the login once, and back', async ({
  page,
  api,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/401/)
  const token = await startSession('aurora')
  await api.data(logout, {}, { token })
  const calls = collectCalls(page)
  await page.goto(overview)
  await expect(page.getByText(english('login.authFailed'))).toHaveCount(1)
  await expect(page).toHaveURL(/\/aurora\/login\?redirectUrl=%2Faurora%2Fmember%2Fhome%2Fview/)
  // The answers of the script were taken: no call was sent a second time.
  expect(calls.filter((call) => call.includes(getOneCustomer.path))).toHaveLength(1)
})

test('requests that the network loses are sent again by the program', async ({
  page,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_INTERNET_DISCONNECTED|NS_ERROR|net::/)
  await startSession('aurora')
  const lost = new Set<string>()
  await page.route('**/web/api/v1/connector/**', async (route) => {
    const name = new URL(route.request().url()).pathname
    if (lost.has(name)) return route.fallback()
    lost.add(name)
    return route.abort('internetdisconnected')
  })
  await page.goto(overview)
  await expect(grace(page)).toBeVisible()
  await expect(ticket(page)).toBeVisible()
  expect([...lost].some((name) => name.endsWith(getOtherConfig.path))).toBe(true)
})

test('back, forward and a reload show the member of their address', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  const calls = collectCalls(page)
  const lookUps = () => calls.filter((call) => call.includes(getOneCustomer.path))
  await page.goto(overview)
  await expect(grace(page)).toBeVisible()
  await page.goto('/aurora/member/home/view?code=AUR10002')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(grace(page)).toHaveCount(0)
  await page.goBack()
  await expect(grace(page)).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(grace(page)).toHaveCount(0)
  calls.length = 0
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(ticket(page).or(page.getByText(english('home.noCoupons')))).toBeVisible()
  expect(lookUps()).toHaveLength(1)
})
