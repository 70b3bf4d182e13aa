import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import { expectAccessible } from '../../support/judges/inspect.ts'
import { useColors } from '../../support/judges/devices.ts'
import { english } from '../../support/portal/catalogue.ts'
import { birthday, couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'

// The customer display in its own window. Two windows of one browser share no memory, so these
// journeys test the messages that the windows exchange.

const ada = { firstName: 'Ada', lastName: 'Byron' }
const welcome = 'Welcome to Aurora Coffee'

/** Opens the display from the settings of a clerk's window. */
async function openDisplay(page: Page): Promise<Page> {
  await page.getByRole('button', { name: english('set.open') }).click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('menuitem', { name: english('set.display') }).click()
  const display = await opened
  await display.getByRole('heading', { level: 1 }).waitFor()
  return display
}

/** Turns the screen: in the settings, and on a phone's member page by its own button. */
async function turn(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: english('set.turn') })
  const settings = page.getByRole('button', { name: english('set.open') })
  await expect(button.or(settings).filter({ visible: true })).toBeVisible()
  if (await button.isVisible()) return button.click()
  await settings.click()
  await page.getByRole('menuitem', { name: english('set.turn') }).click()
}

const greeting = (display: Page) => display.getByRole('heading', { level: 1 })
const shown = (display: Page) => display.getByRole('main').getByRole('status')
const redeem = (page: Page) => couponTicket(page).getByRole('button')

async function nextCustomer(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: english('home.next') })
    .filter({ visible: true })
    .click()
}

/** The address of a display, from its own URL. */
const displayId = (display: Page) => new URL(display.url()).hash.slice(1)

/** Writes into a display's channel from another page of this origin. */
async function forge(context: BrowserContext, id: string, messages: unknown[]): Promise<void> {
  const stranger = await context.newPage()
  await stranger.goto('/aurora/display')
  await stranger.evaluate(
    ([name, all]) => {
      const channel = new BroadcastChannel(name)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
      for (const message of all) channel.postMessage(message)
    },
    [`tillside-display:aurora:amy:${id}`, messages] as const,
  )
  await stranger.close()
}

test('the customer sees the coupon, the result, and nothing after Next customer', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora', ada)
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  const { memberCode } = customer
  await page.goto('/aurora/index')
  const display = await openDisplay(page)
  const asked: string[] = []
  display.on('request', (request) => {
    if (request.url().includes('/web/api/')) asked.push(request.url())
  })
  await expect(greeting(display)).toHaveText(welcome)

  await openMember(page, 'aurora', memberCode)
  await expect(greeting(display)).toHaveText('Hello, Ada')
  await expect(shown(display)).toContainText('Your points')

  await redeem(page).click()
  await expect(display.getByRole('heading', { name: 'Use this coupon?' })).toBeVisible()
  await expect(display.getByRole('article', { name: birthday })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await useColors(display, { colorScheme })
    await expectAccessible(display, 'display', colorScheme)
  }

  await display.reload()
  await expect(display.getByRole('article', { name: birthday })).toBeVisible()
  const seen = await display.locator('body').innerText()
  for (const hidden of ['Byron', memberCode, customer.mobile, customer.mobile.slice(-4)]) {
    expect(seen, 'shown to the customer').not.toContain(hidden)
  }

  await sheet(page).getByRole('button', { name: 'Redeem coupon' }).click()
  await expect(display.getByRole('heading', { name: 'Coupon used' })).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Done' }).click()
  await expect(sheet(page)).toBeHidden()
  await expect(display.getByRole('heading', { name: 'Coupon used' })).toBeVisible()

  await nextCustomer(page)
  await expect(greeting(display)).toHaveText(welcome)
  const left = await display.locator('main').innerText()
  for (const personal of ['Ada', 'Byron', birthday, memberCode, customer.mobile, 'oupon']) {
    expect(left, 'left on the display').not.toContain(personal)
  }
  await display.reload()
  await expect(greeting(display)).toHaveText(welcome)
  expect(asked, 'asked of the server by the display').toEqual([])
})

test('the customer sees the points before and after', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/index')
  const display = await openDisplay(page)
  await page.goto('/aurora/member/home/point-redeem?code=AUR10001')
  await expect(greeting(display)).toHaveText('Hello, Grace')
  await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
  const preview = sheet(page).getByText('→')
  const [, before = '', after = ''] = /([\d,]+) → ([\d,]+)/.exec(await preview.innerText()) ?? []
  const row = (name: string) => shown(display).getByRole('term').filter({ hasText: name })
  await expect(row('Points before').locator('~ dd')).toHaveText(before)
  await expect(row('Points after').locator('~ dd')).toHaveText(after)
  await sheet(page)
    .getByRole('button', { name: english('common.cancel') })
    .click()
  await expect(shown(display)).toHaveText(`Your points${before}`)
})

test('contact and consent of a new member are shown', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/register')
  const display = await openDisplay(page)
  await page.getByLabel('Mobile').first().fill('2015550177')
  await page.getByRole('checkbox', { name: english('reg.terms') }).check()
  await expect(shown(display)).toContainText('+1 2015550177')
  await expect(shown(display)).toContainText(`${english('reg.terms')} · Yes`)
  await page.goto('/aurora/index')
  await expect(shown(display)).toBeEmpty()
})

test('forged messages change nothing', async ({ page, context, startSession, shop }) => {
  const customer = await shop.customer('aurora', ada)
  await startSession('aurora')
  await page.goto('/aurora/index')
  const display = await openDisplay(page)
  await openMember(page, 'aurora', customer.memberCode)
  await expect(greeting(display)).toHaveText('Hello, Ada')
  const id = displayId(display)
  const scene = { name: 'Eve', points: 1, deed: null, signing: null }
  const show = { company: 'aurora', staff: 'amy', display: id, type: 'show', scene, config: null }
  const end = { ...show, type: 'end', scene: undefined, config: undefined }
  await forge(context, id, [
    'Eve',
    { ...show, company: 'lotus' },
    { ...show, staff: 'ben' },
    { ...show, display: crypto.randomUUID() },
    { ...show, scene: { ...scene, name: { html: 'Eve' } } },
    { ...show, scene: { ...scene, mobile: '2015550123' } },
    { ...show, type: 'html' },
    end,
  ])
  // The next true message passes through the same channel after the forged ones.
  await display.reload()
  await expect(greeting(display)).toHaveText('Hello, Ada')
  await expect(display.getByText('Eve')).toHaveCount(0)
})

test('a window that is loaded again while its display opens keeps it', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora', ada)
  await startSession('aurora')
  let requests = 0
  // The first request for the file that connects the two windows has no answer.
  await page.route(/assets\/link-.*\.js/, async (route) => {
    requests++
    if (requests > 1) await route.continue()
  })
  await page.goto('/aurora/index')
  const display = await openDisplay(page)
  await expect.poll(() => requests).toBe(1)
  await openMember(page, 'aurora', customer.memberCode)
  await expect(greeting(display)).toHaveText('Hello, Ada')
})

test('a display belongs to the window that opened it', async ({
  page,
  context,
  startSession,
  shop,
}) => {
  const first = await shop.customer('aurora', ada)
  const second = await shop.customer('aurora', { firstName: 'Grace', lastName: 'Hopper' })
  await startSession('aurora')
  await page.goto('/aurora/index')
  const display = await openDisplay(page)
  await openMember(page, 'aurora', first.memberCode)
  await expect(greeting(display)).toHaveText('Hello, Ada')

  // Another window of the same clerk, and a copy of the first one with its storage.
  const other = await context.newPage()
  await openMember(other, 'aurora', second.memberCode)
  expect(await storedDisplays(page)).toEqual([])
  const copied = page.waitForEvent('popup')
  await page.evaluate((code) => {
    open(`/aurora/member/home/view?code=${code}`)
  }, second.memberCode)
  const copy = await copied
  await copy.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
  await expect(greeting(display)).toHaveText('Hello, Ada')

  // The clerk's window keeps its display across a reload, and takes it along when it closes.
  await page.reload()
  await expect(greeting(display)).toHaveText('Hello, Ada')
  await page.goto('about:blank')
  await expect(greeting(display)).toHaveText(welcome)
})

test('the display closes when the clerk logs out', async ({ page, startSession, shop }) => {
  const customer = await shop.customer('aurora', ada)
  await startSession('aurora')
  await page.goto('/aurora/index')
  const display = await openDisplay(page)
  await openMember(page, 'aurora', customer.memberCode)
  await expect(greeting(display)).toHaveText('Hello, Ada')
  await page.goto('/aurora/index')
  await page.getByRole('button', { name: english('set.open') }).click()
  await page.getByRole('menuitem', { name: english('set.logout') }).click()
  await expect.poll(() => display.isClosed()).toBe(true)
})

test('the screen turned to the customer shows the same', async ({ page, startSession, shop }) => {
  const customer = await shop.customer('aurora', ada)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await turn(page)
  const view = page.getByRole('dialog', { name: 'Hello, Ada' })
  await expect(view.getByRole('img', { name: 'Aurora' })).toBeVisible()
  await expect(view.getByText('Byron')).toHaveCount(0)
  await view.getByRole('button', { name: english('reg.back') }).click()
  await expect(view).toBeHidden()
})

/** The displays that a copy of this window would get. */
const storedDisplays = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((name) => /:display:/.test(name)))

test('a question can be turned to the customer and back', async ({ page, startSession, shop }) => {
  const customer = await shop.customer('aurora', ada)
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await redeem(page).click()
  await sheet(page)
    .getByRole('button', { name: english('set.turn') })
    .click()
  const view = page.getByRole('dialog', { name: 'Hello, Ada' })
  await expect(view.getByRole('article', { name: birthday })).toBeVisible()
  await expect(view.getByRole('heading', { name: 'Use this coupon?' })).toBeVisible()
  await view.getByRole('button', { name: english('reg.back') }).click()
  await expect(view).toBeHidden()
  await sheet(page).getByRole('button', { name: 'Redeem coupon' }).click()
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
})

test('a language whose texts do not arrive is refused, and not shown as chosen', async ({
  page,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/zh-TW-\S+\.js(?:#\d+)?$/)
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  const texts = '**/zh-TW-*.js'
  await page.route(texts, (route) => route.abort())
  await turn(page)
  const view = page.getByRole('dialog', { name: /^Hello, / })
  const chosen = view.getByRole('radio', { name: 'English' })
  await expect(chosen).toBeChecked()
  const chinese = page.getByRole('radio', { name: '繁體中文（台灣）' })
  await chinese.click()
  await expect(view.getByText(english('set.langFailed'))).toBeVisible()
  await expect(chosen).toBeChecked()
  await page.unroute(texts)
  await chinese.click()
  await expect(chinese).toBeChecked()
  await expect(page.getByText(english('set.langFailed'))).toBeHidden()
})
