import { pointHistory, redeemPoints } from '@tillside/contract/points'
import { openMember } from '../../support/portal/member-page.ts'
import { expect, test as base, type Page } from '../../support/fixtures.ts'
import { dropAnswer } from '../../support/browser/drop-answers.ts'
import { scan } from '../../support/browser/scanner.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import type { Customer } from '../../support/demo/shop.ts'
import { addSales } from '../../support/demo/sales.ts'
import { english } from '../../support/portal/catalogue.ts'

// The balance of points, its explanation, and the ways to spend it.

type Counter = { customer: Customer; token: string; balance: () => Promise<number> }

/** A member with 5,000 points, whose page is not yet open. */
const test = base.extend<{ counter: Counter }>({
  counter: async ({ startSession, shop, api }, use) => {
    const customer = await shop.customer('aurora')
    await givePoints('aurora', customer, 5000)
    const token = await startSession('aurora')
    const { memberCode } = customer
    const balance = async () => {
      const { totals } = await api.data(pointHistory, { memberCode }, { token })
      return totals.balance
    }
    await use({ customer, token, balance })
  },
})

async function openPoints(page: Page, { memberCode }: Customer, tab = 'point'): Promise<void> {
  await page.goto(`/aurora/member/home/${tab}?code=${memberCode}`)
  await page
    .getByRole('heading', { level: 2, name: tab === 'point' ? 'Points' : 'Redeem' })
    .waitFor()
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const main = (page: Page) => page.getByRole('main')
const beans = 'House blend, 250 g'
const unsure = english('ex.unknown')

test(
  'the history: the balance, the ribbon in a sentence, the rows, and a filter',
  { tag: '@both' },
  async ({ page, user, api, counter: { customer, token } }) => {
    const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 5000 }
    await api.data(redeemPoints, { memberCode: customer.memberCode, ...order }, { token })
    await openPoints(page, customer)
    await expect(
      main(page)
        .getByRole('button', { name: /^Points ?3,200 ?Explain$/ })
        .last(),
    ).toBeVisible()
    await expect(main(page).getByText('Redeemed and expired1,800')).toBeVisible()
    await expect(main(page).getByRole('img', { name: 'Balance' })).toHaveAccessibleName(
      /^Balance 3,200\. On \d\d\/\d\d\/\d{4} it was 0\. 3,200 points expire on 31\/12\/\d{4}\.$/,
    )
    // The chart names its peak and what expires next, and marks the one use.
    const chart = main(page).getByRole('img', { name: 'Balance' })
    await expect(chart.locator('text').filter({ hasText: /^5,000$/ })).toBeVisible()
    await expect(chart.locator('circle.fill-ink')).toHaveCount(1)
    const month = main(page).getByRole('region', { name: /^[A-Z][a-z]+ \d{4}$/ })
    const rows = month.getByRole('listitem').getByRole('button')
    await expect(rows).toHaveText([
      /^House blend, 250 g.*Gift redeemed.*−1,8003,200$/,
      /^Adjustment up.*\+5,0005,000$/,
    ])
    await user.tap(rows.first())
    await expect(rows.first()).toHaveAttribute('aria-expanded', 'true')
    await expect(month.getByText('Bryant Park')).toBeVisible()

    await user.tap(page.getByRole('radio', { name: 'In', exact: true }))
    await expect(rows).toHaveText([/^Adjustment/])
    await user.tap(page.getByRole('radio', { name: 'Out', exact: true }))
    await expect(rows).toHaveText([/^House blend, 250 g/])
    await user.tap(page.getByRole('radio', { name: 'All', exact: true }))
    await expect(rows).toHaveCount(2)
  },
)

test('the explanation of the balance, in words that a clerk can read out', async ({
  page,
  user,
  counter: { customer },
}) => {
  await openPoints(page, customer)
  await user.tap(
    main(page)
      .getByRole('button', { name: /^Points ?5,000 ?Explain$/ })
      .last(),
  )
  const why = dialog(page, 'Where the 5,000 points come from')
  await expect(why).toContainText('5 points for each 1.00 spent')
  await expect(why).toContainText('They expire 24 months after they were earned')
  await expect(why.getByRole('listitem')).toHaveText(
    /^Adjustment up.*5,000Can be used until 31\/12\/\d{4}$/,
  )
  await user.tap(why.getByRole('button', { name: 'Close' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('points of a promotion say which one gave them', async ({
  page,
  user,
  counter: { customer },
}) => {
  const invoiceNumber = `DOUBLE-${customer.memberCode}`
  const occurredAt = `${new Date().toISOString().slice(0, 19)}Z`
  await addSales('aurora', customer, [
    { lines: [['MUG', '10.00', 1]], changes: { invoiceNumber, storeCode: 'NY003', occurredAt } },
  ])
  await openPoints(page, customer)
  await user.tap(
    main(page)
      .getByRole('button', { name: /^Points ?5,100 ?Explain$/ })
      .last(),
  )
  const why = dialog(page, 'Where the 5,100 points come from')
  const lots = why.getByRole('listitem')
  await expect(lots).toHaveCount(3)
  await expect(lots.filter({ hasText: 'Double points at Union Square' })).toContainText(/50Can be/)
})

test(
  'a reward in three taps: before and after, and back again',
  { tag: '@both' },
  async ({ page, user, counter: { customer, balance } }) => {
    await openMember(page, 'aurora', customer.memberCode)
    user.countSteps()
    await user.tap(page.getByRole('link', { name: 'Redeem', exact: true }).first())
    await user.tap(main(page).getByRole('button', { name: beans }))
    const question = dialog(page, beans)
    await expect(question).toContainText('Redeem for Ada Byron?')
    await expect(question).toContainText('5,000 → 3,200 points')
    expect(await balance()).toBe(5000)
    await user.tap(question.getByRole('button', { name: 'Redeem 1,800 points' }))
    const done = dialog(page, 'Points redeemed')
    await expect(done).toContainText('−1,800')
    // At most three taps and no keys.
    expect(user.countSteps()).toEqual({ taps: 3, keys: 0 })
    expect(await balance()).toBe(3200)

    await user.tap(done.getByRole('button', { name: 'Undo' }))
    const undo = dialog(page, english('undo.q'))
    await expect(undo).toContainText(/House blend, 250 g: 1,800 points go back to Ada Byron\./)
    await user.tap(undo.getByRole('radio', { name: english('undo.mistake') }))
    await user.tap(undo.getByRole('button', { name: 'Undo redemption' }))
    await user.tap(dialog(page, 'Redemption undone').getByRole('button', { name: 'Done' }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(main(page).getByText('5,000', { exact: true }).last()).toBeVisible()
    expect(await balance()).toBe(5000)
  },
)

test('against a sale: the rules at the field, then a chip that asks at once', async ({
  page,
  user,
  counter: { customer, balance },
}) => {
  await openPoints(page, customer, 'point-redeem')
  await user.tap(page.getByRole('radio', { name: english('ex.sale') }))
  const points = page.getByRole('textbox', { name: english('ex.points') })
  await expect(points).toHaveAccessibleDescription(
    '500–20,000 in steps of 100, up to 50% of the sale',
  )
  const amount = page.getByRole('textbox', { name: 'Sale amount' })
  await amount.fill('200.00')
  await points.fill('5100')
  await points.press('Enter')
  await expect(points).toHaveAccessibleDescription(/Not enough points\. The balance is 5,000\./)
  await amount.fill('40.00')
  const rules = [
    ['0', english('reg.positiveInt')],
    ['400', 'Use at least 500 points.'],
    ['20100', 'Use 20,000 points at most.'],
    ['550', 'Use a multiple of 100.'],
    ['2100', 'At most 50% of this sale can be paid with points: 2,000 points.'],
  ] as const
  for (const [typed, message] of rules) {
    await points.fill(typed)
    await points.press('Enter')
    await expect(points).toHaveAccessibleDescription(new RegExp(RegExp.escape(message)))
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await points.fill('1500')
  await expect(main(page).getByText('1,500 points = 15.00 off')).toBeVisible()
  await expect(main(page).getByText('Customer pays 25.00')).toBeVisible()

  await user.tap(page.getByRole('button', { name: 'Max 2,000' }))
  const question = dialog(page, "Use 2,000 of Ada Byron's points?")
  await expect(question).toContainText('5,000 → 3,000 points')
  await expect(question).toContainText('20.00')
  expect(await balance()).toBe(5000)
  await user.tap(question.getByRole('button', { name: 'Use 2,000 points' }))
  await expect(dialog(page, 'Points redeemed')).toContainText('−2,000')
  expect(await balance()).toBe(3000)
})

test('a receipt number: its sale has one limit, and nothing typed is lost', async ({
  page,
  user,
  shop,
  counter: { customer, balance },
}) => {
  await openPoints(page, customer, 'point-redeem')
  await user.tap(page.getByRole('radio', { name: english('ex.sale') }))
  const amount = page.getByRole('textbox', { name: 'Sale amount' })
  const points = page.getByRole('textbox', { name: english('ex.points') })
  const number = page.getByRole('textbox', { name: english('pt.invoice') })
  const invoice = `T-${customer.memberCode}`
  await amount.fill('40.00')
  await number.fill(` ${invoice} `)
  const use = async (typed: string) => {
    await points.fill(typed)
    await points.press('Enter')
    return page.getByRole('dialog', { name: "of Ada Byron's points?" })
  }
  const first = await use('1500')
  await user.tap(first.getByRole('button', { name: 'Use 1,500 points' }))
  const done = dialog(page, 'Points redeemed')
  await expect(done).toContainText(invoice)
  await user.tap(done.getByRole('button', { name: 'Done' }))

  // 600 points alone are within the share; with the 1,500 before they are not.
  const refused = await use('600')
  await expect(refused.getByText('At most 500 points can be used for this sale.')).toBeVisible()
  await expect(refused.getByRole('button', { name: 'Use 600 points' })).toBeHidden()
  await user.tap(refused.getByRole('button', { name: 'Close' }))
  await expect(amount).toHaveValue('40.00')
  await expect(number).toHaveValue(` ${invoice} `)
  await expect(points).toHaveValue('600')
  // 300 points alone are below the minimum; together they are not.
  const second = await use('300')
  await user.tap(second.getByRole('button', { name: 'Use 300 points' }))
  await user.tap(done.getByRole('button', { name: 'Done' }))
  expect(await balance()).toBe(3200)

  const next = await shop.customer('aurora')
  await givePoints('aurora', next, 1000)
  await scan(page, next.cardNumber)
  await expect(page).toHaveURL(new RegExp(`home/view\\?code=${next.memberCode}`))
  await user.tap(page.getByRole('link', { name: 'Redeem', exact: true }).first())
  await expect(number).toHaveValue('')
  await expect(amount).toHaveValue('')
})

test('the answer is lost: unknown, checked, redeemed once', async ({
  page,
  user,
  browserErrors,
  counter: { customer, balance },
}) => {
  browserErrors.allow(/ERR_FAILED/)
  await page.route(`**${redeemPoints.path}`, dropAnswer)
  await openPoints(page, customer, 'point-redeem')
  await user.tap(main(page).getByRole('button', { name: beans }))
  const question = dialog(page, beans)
  const act = question.getByRole('button', { name: 'Redeem 1,800 points' })
  await user.tap(act)
  await expect(question.getByRole('alert')).toHaveText(unsure)
  await expect(act).toBeHidden()
  await user.tap(question.getByRole('button', { name: 'Check status' }))
  await expect(dialog(page, 'Points redeemed')).toContainText('−1,800')
  expect(await balance()).toBe(3200)
})
