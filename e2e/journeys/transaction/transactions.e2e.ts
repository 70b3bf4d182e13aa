import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import { expect, test as base, type Page } from '../../support/fixtures.ts'
import type { Customer } from '../../support/demo/shop.ts'
import { addSales } from '../../support/demo/sales.ts'
import { english } from '../../support/portal/catalogue.ts'

// The list of receipts, and one of them in full.

const longName = 'Single-origin beans, washed, roasted on Tuesdays for members only'

const test = base.extend<{ customer: Customer }>({
  customer: async ({ startSession, shop }, use) => {
    const customer = await shop.customer('aurora')
    const tag = customer.mobile.slice(-6)
    await addSales('aurora', customer, [
      {
        lines: [
          ['BEAN', '18.0000', 2],
          ['CUP', '4.50', 1],
        ],
        changes: {
          invoiceNumber: `NY001-${tag}`,
          storeCode: 'NY001',
          sales: 'Ms Wong',
          occurredAt: '2026-10-20T18:02:11Z',
          totalAmount: '40.50',
          orderDiscount: '5.50',
          netSpend: '30.00',
          items: [
            {
              skuCode: 'BEAN',
              skuName: longName,
              price: '18.0000',
              quantity: '2',
              total: '36.00',
              discount: '1.00',
              spend: '35.00',
            },
            {
              skuCode: 'CUP',
              skuName: 'Cup',
              price: '0.0450',
              quantity: '100',
              total: '4.50',
              discount: '0.00',
              spend: '4.50',
            },
          ],
          coupons: [{ code: 'TILL-77', name: 'Five off', value: '5.00', quantity: 1 }],
        },
      },
      {
        lines: [['TEA', '9.00', 1]],
        changes: {
          invoiceNumber: `WEB-${tag}`,
          source: 100000029,
          // In New York it is still September.
          occurredAt: '2026-10-01T03:30:00Z',
        },
      },
      {
        lines: [['TEA', '9.00', 3]],
        changes: {
          invoiceNumber: `VOID-${tag}`,
          storeCode: 'NY002',
          status: 'cancelled',
          occurredAt: '2026-09-10T15:00:00Z',
        },
      },
    ])
    await startSession('aurora')
    await use(customer)
  },
})

const main = (page: Page) => page.getByRole('main')
const rows = (page: Page) =>
  main(page)
    .getByRole('listitem')
    .getByRole('button', { name: /\d\d\/\d\d\/\d{4}/ })
const paper = (page: Page) => main(page).locator('[data-print]')

async function openList(
  page: Page,
  { memberCode }: Pick<Customer, 'memberCode'>,
  company = 'aurora',
): Promise<void> {
  await page.goto(`/${company}/member/home/transaction?code=${memberCode}`)
  await rows(page).first().waitFor()
}

test(
  'the list by months, each exception named, a cancelled sale struck out',
  { tag: '@both' },
  async ({ page, customer }) => {
    await openList(page, customer)
    await expect(main(page).getByRole('region').getByRole('heading', { level: 3 })).toHaveText([
      'October 2026',
      'September 2026',
    ])
    await expect(rows(page)).toHaveText([
      /^Bryant Park20\/10\/2026 · 2 items30\.00$/,
      /^Official website30\/09\/2026 · 1 item9\.00$/,
      /^Brooklyn HeightsCancelled10\/09\/2026 · 1 item27\.00$/,
    ])
    await expect(rows(page).last().getByText('27.00')).toHaveCSS(
      'text-decoration-line',
      'line-through',
    )
  },
)

test.describe('a till in another zone than the company', () => {
  test.use({ timezoneId: 'Asia/Shanghai' })
  test('shows the company’s days and times', async ({ page, user, customer }) => {
    await openList(page, customer)
    await expect(rows(page).nth(1)).toContainText('30/09/2026')
    await user.tap(rows(page).first())
    await expect(paper(page)).toContainText('20/10/2026 14:02:11')
  })
})

test(
  'the receipt: its lines, discounts, the coupon, the payment and the earned points',
  { tag: '@both' },
  async ({ page, user, customer }) => {
    await openList(page, customer)
    await user.tap(rows(page).first())
    await expect(page).toHaveURL(/invoice=NY001-/)
    await expect(paper(page)).toContainText('Bryant ParkNY001')
    await expect(paper(page)).toContainText('SalesMs Wong')
    await expect(paper(page).getByRole('listitem')).toHaveText([
      `${longName}BEAN2 × 18.0036.00Discount−1.0035.00`,
      'CupCUP100 × 0.0454.50',
    ])
    await expect(paper(page)).toContainText('Five offTILL-77−5.00')
    await expect(paper(page)).toContainText('Total amount40.50')
    await expect(paper(page)).toContainText('Order discount−5.50')
    await expect(paper(page)).toContainText('Net spend30.00')
    await expect(paper(page)).toContainText(/Earned\+\d+/)
  },
)

test(
  'back from a receipt the focus is on the list, and arrows go from row to row',
  { tag: '@both' },
  async ({ page, customer }) => {
    await openList(page, customer)
    // A wide screen has room for the newest receipt.
    if ((page.viewportSize()?.width ?? 0) >= 1024) {
      await expect(paper(page)).toContainText('Bryant Park')
      await expect(page).not.toHaveURL(/invoice=/)
    }
    await rows(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(rows(page).nth(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(paper(page)).toContainText('Official website')
    await expect(paper(page)).not.toContainText('discount')
    await page.keyboard.press('Escape')
    // On a wide screen the newest receipt is open again.
    const isWide = (page.viewportSize()?.width ?? 0) >= 1024
    await expect(paper(page)).toHaveCount(isWide ? 1 : 0)
    if (isWide) await expect(paper(page)).toContainText('Bryant Park')
    await expect(rows(page).first()).toBeVisible()
    await expect(rows(page).first()).toBeFocused()
  },
)

test('found by a part of the number; an unknown number finds nothing', async ({
  page,
  user,
  customer,
}) => {
  await openList(page, customer)
  await user.tap(main(page).getByRole('searchbox', { name: 'Invoice no.' }))
  await user.type('web-')
  await expect(rows(page)).toHaveText([/^Official website/])
  await main(page).getByRole('searchbox', { name: 'Invoice no.' }).fill('nowhere')
  await expect(main(page).getByText(english('tx.noneFound')).last()).toBeVisible()
  await user.tap(main(page).getByRole('button', { name: 'Clear' }))
  await expect(main(page).getByRole('searchbox', { name: 'Invoice no.' })).toBeFocused()
  await expect(rows(page).nth(1)).toBeVisible()
  await page.goto(`/aurora/member/home/transaction?code=${customer.memberCode}&invoice=NOT-THEIRS`)
  await expect(main(page).getByText('This member has no transaction NOT-THEIRS.')).toBeVisible()
})

test(
  'the overview leads to the newest receipt, and the points to theirs',
  { tag: '@both' },
  async ({ page, user, customer }) => {
    await page.goto(`/aurora/member/home/view?code=${customer.memberCode}`)
    await user.tap(main(page).getByRole('link', { name: /Bryant Park.*30\.00/ }))
    await expect(paper(page)).toContainText('Net spend30.00')
    await page.goto(`/aurora/member/home/point?code=${customer.memberCode}`)
    await user.tap(
      main(page)
        .getByRole('button', { name: /^Earned.*NY001-/ })
        .first(),
    )
    await user.tap(main(page).getByRole('link', { name: /^NY001-/ }))
    await expect(paper(page)).toContainText('Net spend30.00')
  },
)

test(
  'a company may open a receipt under its row, one at a time',
  { tag: '@both' },
  async ({ page, user, startSession }) => {
    await startSession('harbour')
    await openList(page, { memberCode: 'HAR10001' }, 'harbour')
    const [first, second] = [rows(page).first(), rows(page).nth(1)]
    await user.tap(first)
    await expect(first).toHaveAttribute('aria-expanded', 'true')
    await expect(paper(page)).toHaveCount(1)
    await second.click()
    await expect(first).toHaveAttribute('aria-expanded', 'false')
    await expect(second).toHaveAttribute('aria-expanded', 'true')
    await expect(paper(page)).toHaveCount(1)
    await second.click()
    await expect(paper(page)).toHaveCount(0)
  },
)

// Only Chromium shows a page as it would be printed.
const printed = 'printing shows the receipt and nothing else'
test(printed, { tag: '@chromium' }, async ({ page, user, customer }) => {
  await openList(page, customer)
  await user.tap(rows(page).first())
  await paper(page).waitFor()
  await page.emulateMedia({ media: 'print' })
  await expect(paper(page)).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(rows(page).first()).toBeHidden()
  await expect(paper(page).getByRole('button')).toHaveCount(0)
})

test('rows and a receipt that fail to load say so, and can be requested again', async ({
  page,
  user,
  customer,
  browserErrors,
}) => {
  browserErrors.allow(/500/)
  const broken = { status: 500, json: { code: 500, message: 'broken', data: null } }
  await page.route(`**${listTransactions.path}?*`, (route) => route.fulfill(broken), { times: 1 })
  // From the start: a wide screen opens the newest receipt as soon as it has the rows.
  await page.route(`**${transactionDetail.path}?*`, (route) => route.fulfill(broken))
  await page.goto(`/aurora/member/home/transaction?code=${customer.memberCode}`)
  await expect(main(page).getByText('Transactions could not be loaded.')).toBeVisible()
  await user.tap(main(page).getByRole('button', { name: 'Try again' }))
  await user.tap(rows(page).first())
  await expect(main(page).getByText('Transaction could not be loaded.')).toBeVisible()
  await page.unroute(`**${transactionDetail.path}?*`)
  await user.tap(main(page).getByRole('button', { name: 'Try again' }))
  await expect(paper(page)).toContainText('Net spend30.00')
})

test('a member without receipts has one line', async ({ page, startSession, shop }) => {
  await startSession('aurora')
  const { memberCode } = await shop.customer('aurora')
  await page.goto(`/aurora/member/home/transaction?code=${memberCode}`)
  await expect(main(page).getByText(english('tx.empty'))).toBeVisible()
})

test('without the permission for receipts there is no page for them', async ({
  page,
  startSession,
  shop,
}) => {
  const company = await shop.company()
  await shop.revoke(company, 'full', 'transaction')
  const account = await shop.clerk(company)
  const { memberCode } = await shop.customer(company)
  await startSession(company, account)
  await page.goto(`/${company}/member/home/transaction?code=${memberCode}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(english('tx.empty'))).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Transactions' })).toHaveCount(0)
})

test(
  'two hundred lines scroll while their sum stays visible',
  { tag: '@both' },
  async ({ page, user, startSession, shop }) => {
    await startSession('aurora')
    const customer = await shop.customer('aurora')
    const lines = Array.from({ length: 200 }, (_, at) => [`SKU-${at}`, '1234567.89', 1] as const)
    const changes = { invoiceNumber: `LONG-${customer.mobile.slice(-6)}` }
    await addSales('aurora', customer, [{ lines, changes }])
    await openList(page, customer)
    await user.tap(rows(page).first())
    await expect(paper(page).getByRole('listitem')).toHaveCount(200)
    await expect(paper(page).getByText('Net spend')).toBeInViewport()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
  },
)
