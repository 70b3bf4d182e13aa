import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { redeemCoupon } from '@tillside/contract/coupon'
import { languages, type Language } from '@tillside/contract/wire/language'
import type { Locator } from '@playwright/test'
import { pointHistory, redeemPoints } from '@tillside/contract/points'
import { type Api, password } from '../../support/demo/api.ts'
import { addSales } from '../../support/demo/sales.ts'
import type { Shop } from '../../support/demo/shop.ts'
import { type FirstDay, openFirstDay } from '../../support/portal/first-day.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import type { User } from '../../support/browser/count-steps.ts'
import { patternOf, textsIn } from '../../support/portal/catalogue.ts'

// The manual's pictures, taken from the running product in each language. A full run takes them, so
// that the manual's steps still work; `npm run manual` also keeps them.

const folder = join(import.meta.dirname, '../../../docs/manual')
const isKept = process.env['MANUAL_PICTURES'] === '1'

test.use({ viewport: { width: 390, height: 700 }, deviceScaleFactor: 2, colorScheme: 'light' })

type Guide = {
  page: Page
  day: FirstDay
  language: Language
  /** A text of the screen. */
  text: (id: string) => string
  user: User
  button: (id: string, within?: Locator) => Locator
  open: (path: string) => Promise<void>
  picture: (name: string, of?: Page) => Promise<void>
}

const tag = isKept ? [] : ['@full']

for (const language of languages) {
  test(
    `shows the product as it is in ${language}`,
    { tag },
    async ({ page, user, shop, api, browserErrors }) => {
      test.slow()
      page.setDefaultTimeout(30_000)
      browserErrors.allow(/ERR_FAILED|favicon/)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const day = await openFirstDay(shop, language)
      const guide = { ...guideTo(page, day, language), user }
      await arrive(guide)
      await members(guide)
      await coupons(guide)
      await points(guide)
      await colleagueRedeems(day, shop, api)
      await own(guide)
      await spendAndReturn(day, api, (await shop.session(day.company, day.account)).token)
      await returns(guide)
      await inTheWay(guide)
    },
  )
}

function guideTo(page: Page, day: FirstDay, language: Language): Omit<Guide, 'user'> {
  const words = textsIn(language)
  const text = (id: string): string => {
    const found = words.get(id)
    if (found === undefined) throw new Error(`${language} has no text ${id}`)
    return found
  }
  return {
    page,
    day,
    language,
    text,
    button: (id, within) =>
      (within ?? page.getByRole('main')).getByRole('button', { name: patternOf(text(id)) }),
    open: async (path) => {
      await page.goto(`/${day.company}/${path}`)
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
    },
    picture: async (name, of = page) => {
      await of.evaluate(() => document.fonts.ready.then(() => undefined))
      const bytes = await of.screenshot({
        type: 'webp',
        quality: 60,
        animations: 'disabled',
        caret: 'hide',
      })
      expect(bytes.length, `${name} has something to see`).toBeGreaterThan(5000)
      if (!isKept) return
      mkdirSync(join(folder, language), { recursive: true })
      writeFileSync(join(folder, language, `${name}.webp`), bytes)
    },
  }
}

const sheet = (page: Page): Locator => page.getByRole('dialog')

/** Logs in. */
async function arrive({ page, day, text, picture, language }: Guide): Promise<void> {
  await page.goto(`/${day.company}/login?lang=${language}`)
  await page.getByLabel(text('login.account')).fill(day.account)
  await page.getByLabel(text('login.password'), { exact: true }).fill(password)
  await picture('log-in')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/index')
}

async function members({ page, user, day, text, open, button, picture }: Guide): Promise<void> {
  const { customer } = day
  await open('member/search/index')
  await page.getByRole('textbox', { name: text('search.mobile') }).focus()
  await user.type(customer.mobile)
  await page.getByRole('main').getByText(text('search.open')).waitFor()
  await picture('find-member')

  await open(`member/home/view?code=${customer.memberCode}`)
  await page.getByRole('article').first().waitFor()
  await picture('first-day')
  await readme(page)

  await open('member/search/register')
  await page.getByRole('checkbox').first().waitFor()
  await page.getByLabel(day.labels.mobile).first().fill(day.another.mobile)
  await page.getByLabel(day.labels.firstName, { exact: true }).fill(day.another.firstName)
  await page.getByLabel(day.labels.lastName, { exact: true }).fill(day.another.lastName)
  await page.getByLabel(day.labels.mobile).first().focus()
  await button('reg.turn').waitFor()
  await picture('register')

  await page.clock.install()
  await open(`member/home/view?code=${customer.memberCode}`)
  await page.clock.fastForward(95_000)
  await sheet(page).waitFor()
  await picture('next-customer')
}

/** The pictures of the README: the member on a tablet, in the light and in the dark. */
async function readme(page: Page): Promise<void> {
  if (!isKept) return
  const language = await page.locator('html').getAttribute('lang')
  const phone = page.viewportSize()
  await page.setViewportSize({ width: 1180, height: 760 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.getByRole('article').first().waitFor()
    const path = join(folder, `../counter-${language}-${colorScheme}.webp`)
    const wanted = language === 'en-US' || (language === 'zh-HK' && colorScheme === 'dark')
    if (wanted) await page.screenshot({ path, type: 'webp', quality: 60, animations: 'disabled' })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (phone !== null) await page.setViewportSize(phone)
}

async function coupons({ page, day, text, open, button, picture }: Guide): Promise<void> {
  const code = day.customer.memberCode
  const stub = page.getByRole('article').first().getByRole('button').last()
  await open('index')
  const display = await openDisplay(page, text)
  await open(`member/home/coupon?code=${code}`)
  await stub.click()
  await button('rdm.do', sheet(page)).waitFor()
  await picture('redeem-coupon')
  await display.getByRole('article').waitFor()
  await picture('customer-display', display)
  await display.close()
  await button('rdm.do', sheet(page)).click()
  await sheet(page).locator('.stamp').waitFor()
  await picture('redeemed')
  await button('slip.open', sheet(page)).click()
  await page.locator('[data-slip]').waitFor()
  await picture('slip')

  await open(`member/home/coupon?code=${code}`)
  await button('cpn.select').click()
  await button('bat.all').click()
  await picture('redeem-several')

  await open(`member/home/coupon?code=${code}&issue=1`)
  await sheet(page).getByText(text('iss.free')).first().waitFor()
  await picture('issue-coupon')
}

/** Opens the customer's window as the settings do. */
async function openDisplay(page: Page, text: Guide['text']): Promise<Page> {
  await page.getByRole('button', { name: text('set.open') }).click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('menuitem', { name: text('set.display') }).click()
  const display = await opened
  await display.setViewportSize({ width: 700, height: 520 })
  await display.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
  return display
}

async function points({ page, day, text, open, button, picture }: Guide): Promise<void> {
  const code = day.customer.memberCode
  await open(`member/home/point-redeem?code=${code}`)
  await page.getByRole('radio', { name: text('ex.sale') }).check()
  await page.getByLabel(text('ex.amount')).fill(day.saleAmount)
  await button('ex.maxChip').click()
  await page.getByRole('dialog').getByText('→').waitFor()
  await picture('spend-points')

  await open(`member/home/transaction?code=${code}&invoice=${day.invoiceNumber}`)
  await page.locator('[data-print]').getByText(day.invoiceNumber).waitFor()
  await picture('receipts')
}

async function colleagueRedeems(day: FirstDay, shop: Shop, api: Api): Promise<void> {
  const { company, colleague, customer } = day
  const { token, store } = await shop.session(company, colleague)
  const couponCode = await shop.coupon(company, customer, 'HOUSE', store.code)
  await api.data(redeemCoupon, { memberCode: customer.memberCode, couponCode }, { token })
}

async function own({ page, text, open, button, picture }: Guide): Promise<void> {
  await open('shift')
  const row = page.getByRole('main').getByRole('listitem').first()
  await row.waitFor()
  await picture('my-shift')
  await open('shift/store')
  await row.waitFor()
  await picture('store-shift')
  await open('shift')
  await row.getByRole('button').click()
  await button('undo.do', sheet(page)).waitFor()
  await picture('undo')

  await open('index')
  await page.getByRole('button', { name: text('set.open') }).click()
  await page.getByRole('menuitem', { name: text('set.changePw') }).click()
  await sheet(page).getByText(text('pw.rule')).waitFor()
  await picture('password')
}

/**
 * The customer spends all points, those of one sale on another one, and returns both: the points
 * that paid are back, and the balance is below zero.
 */
async function spendAndReturn(day: FirstDay, api: Api, token: string): Promise<void> {
  const { company, customer, exchange, sixSteps } = day
  const { memberCode } = customer
  const [first, second] = ['88401', '88418']
  const occurredAt = new Date().toISOString()
  const sell = (invoiceNumber: string, price: string) =>
    addSales(company, customer, [
      { lines: [['A', price, 1]], changes: { invoiceNumber, occurredAt } },
    ])
  const giveBack = (invoiceNumber: string, price: string) => {
    const original = { invoiceNumber, source: 100000028 }
    const changes = { invoiceNumber: `R-${invoiceNumber}`, occurredAt, original }
    return addSales(company, customer, [{ lines: [['A', price, -1]], changes }])
  }
  const spend = (used: number, sale: object) => {
    const input = {
      memberCode,
      kind: 'transaction',
      points: used,
      transactionAmount: '90000.00',
      ...sale,
    }
    return api.data(redeemPoints, input, { token })
  }
  await sell(first, sixSteps)
  await spend(exchange.minimum, { invoiceNumber: second })
  const { totals } = await api.data(pointHistory, { memberCode }, { token })
  for (let left = totals.valid; left >= exchange.minimum;) {
    const most = Math.min(exchange.maximum, left - (left % exchange.increment))
    await spend(most, {})
    left -= most
  }
  await sell(second, '10.00')
  await giveBack(second, '10.00')
  await giveBack(first, sixSteps)
}

async function returns({ page, day, text, open, picture }: Guide): Promise<void> {
  await open(`member/home/point?code=${day.customer.memberCode}`)
  const name = new RegExp(`^${text('home.points')} ?−`)
  await page.getByRole('main').getByRole('button', { name }).last().click()
  await sheet(page).getByText(text('ret.back')).waitFor()
  await picture('returns')
}

async function inTheWay({ page, day, text, open, button, picture }: Guide): Promise<void> {
  await page.route('**/version.json', (route) => route.fulfill({ json: { version: 'next' } }))
  await open('member/search/index')
  await page.clock.fastForward(6000)
  await page.getByText(text('upd.text')).waitFor()
  await picture('new-version')
  await page.unroute('**/version.json')

  await page.route(`**${redeemCoupon.path}`, (route) => route.abort())
  await open(`member/home/coupon?code=${day.customer.memberCode}`)
  await page.getByRole('article').first().getByRole('button').last().click()
  await button('rdm.do', sheet(page)).click()
  await button('rdm.check', sheet(page)).waitFor()
  await picture('no-answer')
}
