import { listTransactions } from '@tillside/contract/transaction'
import {
  birthday,
  couponsOf,
  couponTicket,
  openMember,
  sheet,
} from '../../support/portal/member-page.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'
import type { User } from '../../support/browser/count-steps.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { scan } from '../../support/browser/scanner.ts'
import { english } from '../../support/portal/catalogue.ts'

// The clerk's tasks as an expert does them, and the most steps that each may take. J3 is
// counted where people are registered: register.e2e.ts.

type Steps = ReturnType<User['countSteps']>

const table = {
  J1: { taps: 1, keys: 8 },
  'J2, the member scanned': { taps: 2, keys: 0 },
  'J2, the coupon scanned': { taps: 1, keys: 0 },
  'J4, a reward': { taps: 3, keys: 0 },
  'J4, against a sale': { taps: 3, keys: 0 },
  'J4, against a sale of an amount': { taps: 3, keys: 5 },
  J5: { taps: 0, keys: 0 },
  J6: { taps: 3, keys: 0 },
  J7: { taps: 2, keys: 0 },
  J8: { taps: 2, keys: 0 },
} satisfies Record<string, Steps>

/** Fails where a task took more steps than the table allows. */
function expectWithin(job: keyof typeof table, { taps, keys }: Steps): void {
  const most = table[job]
  test.info().annotations.push({ type: job, description: `${taps} taps, ${keys} keys` })
  expect(taps, `${job}, taps`).toBeLessThanOrEqual(most.taps)
  expect(keys, `${job}, keys`).toBeLessThanOrEqual(most.keys)
}

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const redeemed = english('rdm.ok')
const confirm = (page: Page) =>
  dialog(page, english('rdm.q')).getByRole('button', { name: 'Redeem coupon', exact: true })

async function openSearch(page: Page, company = 'aurora') {
  await page.goto(`/${company}/member/search/index?lang=en-US`)
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
}

test('J1: find a member by phone', { tag: '@both' }, async ({ page, startSession, user }) => {
  await startSession('harbour')
  await openSearch(page, 'harbour')
  await user.type('51234567')
  await user.tap(page.getByRole('button', { name: /^陳.*Gold.*Open$/ }))
  await expect(page).toHaveURL(/\/harbour\/member\/home\/view\?code=HAR10001/)
  expectWithin('J1', user.countSteps())
})

test(
  'J2: the member’s card is scanned, the coupon used',
  { tag: '@both' },
  async ({ page, startSession, user, shop }) => {
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    await startSession('aurora')
    await openSearch(page)
    await scan(page, customer.cardNumber)
    await user.tap(couponTicket(page).getByRole('button', { name: 'Redeem' }))
    await user.tap(confirm(page))
    await expect(dialog(page, redeemed)).toBeVisible()
    expectWithin('J2, the member scanned', user.countSteps())
  },
)

test('J2: the coupon is scanned from the search, and opens its owner with the question', async ({
  page,
  startSession,
  user,
  shop,
  api,
}) => {
  const customer = await shop.customer('aurora')
  const code = await shop.coupon('aurora', customer)
  await shop.coupon('aurora', customer, 'HOUSE')
  const token = await startSession('aurora')
  await openSearch(page)
  await scan(page, code)
  const question = dialog(page, english('rdm.q'))
  await expect(question).toContainText('Ada Byron')
  await expect(question.getByRole('article', { name: birthday })).toBeVisible()
  await user.tap(confirm(page))
  await expect(dialog(page, redeemed)).toBeVisible()
  expectWithin('J2, the coupon scanned', user.countSteps())
  const coupons = await couponsOf(api, token, customer)
  expect(coupons.filter(({ status }) => status === 'USED').map((coupon) => coupon.code)).toEqual([
    code,
  ])
})

test('J2: the coupon is scanned while its owner is open', async ({
  page,
  startSession,
  user,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  const code = await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await couponTicket(page).waitFor()
  await page.waitForLoadState('networkidle')
  await scan(page, code)
  await user.tap(confirm(page))
  await expect(dialog(page, redeemed)).toBeVisible()
  expectWithin('J2, the coupon scanned', user.countSteps())
})

/** The way from a member's page to the rewards. */
const toSpend = (page: Page) => page.getByRole('link', { name: 'Redeem', exact: true }).first()

test('J4: points for a reward', { tag: '@both' }, async ({ page, startSession, user, shop }) => {
  const customer = await shop.customer('aurora')
  await givePoints('aurora', customer, 5000)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await user.tap(toSpend(page))
  await user.tap(main(page).getByRole('button', { name: 'House blend, 250 g' }))
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem 1,800 points' }))
  await expect(dialog(page, 'Points redeemed')).toBeVisible()
  expectWithin('J4, a reward', user.countSteps())
})

for (const [job, maxShare] of [
  ['J4, against a sale', null],
  ['J4, against a sale of an amount', 0.5],
] as const) {
  test(`${job}, by a clerk who did so before`, async ({ page, startSession, user, shop }) => {
    const company = await shop.company('aurora', ({ points, ...definition }) => {
      const { exchange } = points
      if (exchange === null) throw new Error('aurora exchanges points')
      return { ...definition, points: { ...points, exchange: { ...exchange, maxShare } } }
    })
    const [last, customer] = [await shop.customer(company), await shop.customer(company)]
    for (const one of [last, customer]) await givePoints(company, one, 5000)
    await startSession(company, await shop.clerk(company))
    await openMember(page, company, last.memberCode)
    await user.tap(toSpend(page))
    await user.tap(page.getByRole('radio', { name: english('ex.sale') }))
    await user.tap(page.getByRole('button', { name: 'Next customer' }))
    await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
    await scan(page, customer.cardNumber)
    await expect(page).toHaveURL(new RegExp(`code=${customer.memberCode}`))
    await expect(toSpend(page)).toBeVisible()

    user.countSteps()
    await user.tap(toSpend(page))
    if (maxShare !== null) {
      await expect(page.getByRole('textbox', { name: 'Sale amount' })).toBeFocused()
      await user.type('40.00')
    }
    await user.tap(page.getByRole('button', { name: /^Max / }))
    await user.tap(sheet(page).getByRole('button', { name: /^Use [\d,]+ points$/ }))
    await expect(dialog(page, 'Points redeemed')).toBeVisible()
    expectWithin(job, user.countSteps())
  })
}

test('J5: the gap to the next tier', { tag: '@both' }, async ({ page, startSession, user }) => {
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  const gap = main(page).getByText(/^to reach /)
  await expect(gap).toBeVisible()
  await expect(gap).toBeInViewport()
  expectWithin('J5', user.countSteps())
})

test(
  'J6: a coupon is issued, and the list shows it',
  { tag: '@both' },
  async ({ page, startSession, user, shop }) => {
    const customer = await shop.customer('aurora')
    await startSession('aurora')
    await openMember(page, 'aurora', customer.memberCode)
    const tote = 'Autumn tote, complimentary'
    await user.tap(page.getByRole('link', { name: 'Issue coupon' }))
    await user.tap(dialog(page, 'Issue coupon').getByRole('button', { name: tote }))
    await user.tap(
      dialog(page, 'Issue this coupon to Ada Byron?').getByRole('button', {
        name: 'Issue coupon',
        exact: true,
      }),
    )
    const done = dialog(page, english('iss.ok'))
    await expect(done.getByRole('article', { name: tote })).toBeVisible()
    expectWithin('J6', user.countSteps())
    await user.tap(done.getByRole('button', { name: 'Done' }))
    await expect(couponTicket(page, tote).getByRole('button', { name: /^Redeem/ })).toBeVisible()
  },
)

test('J7: find a transaction', { tag: '@both' }, async ({ page, startSession, user, api }) => {
  const token = await startSession('aurora')
  const { items } = await api.data(listTransactions, { memberCode: 'AUR10001' }, { token })
  const [newest] = items
  await openMember(page, 'aurora', 'AUR10001')
  const tabs = page.getByRole('navigation', { name: 'Member pages' })
  await user.tap(tabs.getByRole('link', { name: 'Transactions' }))
  await user.tap(main(page).getByRole('listitem').getByRole('button').first())
  await expect(main(page).locator('[data-print]')).toContainText(newest?.invoiceNumber ?? 'none')
  expectWithin('J7', user.countSteps())
})

test('J8: the other language', { tag: '@both' }, async ({ page, startSession, user, shop }) => {
  await startSession('aurora', await shop.clerk('aurora'))
  // The one bar of a phone's member page has no room for the settings.
  if ((page.viewportSize()?.width ?? 0) < 600) await page.goto('/aurora/member/search/index')
  else await openMember(page, 'aurora', 'AUR10001')
  await user.tap(page.getByRole('button', { name: 'Settings' }))
  await user.tap(page.getByRole('menuitemradio', { name: '繁體中文（香港）', exact: true }))
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
  await expect(page.getByRole('heading', { name: /^(可使用優惠券|尋找會員)/ })).toBeVisible()
  expectWithin('J8', user.countSteps())
})
