import { redeemPoints } from '@tillside/contract/points'
import { openMember, sheet } from '../../support/portal/member-page.ts'
import { expect } from '../../support/fixtures.ts'
import { test } from '../../support/judges/inspect.ts'
import { addSales } from '../../support/demo/sales.ts'
import { english } from '../../support/portal/catalogue.ts'

// A customer spent the points of a sale, paid for another one with points, and returned both.

const source = 100000028

test('a debt, points that came back and a tier that was lost', async ({
  page,
  user,
  startSession,
  shop,
  api,
  inspect,
}) => {
  const company = await shop.company('aurora', (definition) => ({
    ...definition,
    points: { ...definition.points, refundPolicy: 'debt' },
  }))
  const customer = await shop.customer(company)
  const { memberCode } = customer
  const token = await startSession(company, await shop.clerk(company))
  const occurredAt = `${new Date().toISOString().slice(0, 19)}Z`
  const [first, second] = [`COAT-${memberCode}`, `CAKE-${memberCode}`]
  const buy = (invoiceNumber: string, price: string) =>
    addSales(company, customer, [
      { lines: [['A', price, 1]], changes: { invoiceNumber, occurredAt } },
    ])
  const giveBack = (invoiceNumber: string, price: string) => {
    const original = { invoiceNumber, source }
    const changes = { invoiceNumber: `BACK-${invoiceNumber}`, occurredAt, original }
    return addSales(company, customer, [{ lines: [['A', price, -1]], changes }])
  }
  const spend = (input: object) => api.data(redeemPoints, { memberCode, ...input }, { token })
  await buy(first, '500.00')
  const half = { points: 500, transactionAmount: '10.00', invoiceNumber: second }
  await spend({ kind: 'transaction', ...half })
  await spend({ kind: 'gift', giftId: 'G-BEANS', quantity: 1 })
  await buy(second, '5.00')
  await giveBack(second, '5.00')
  await giveBack(first, '500.00')

  const main = page.getByRole('main')
  await page.goto(`/${company}/member/home/point?code=${memberCode}`)
  const debt = '1,800 points below zero. The next purchases repay them first.'
  await expect(main.getByText(debt).last()).toBeVisible()
  const row = main.getByRole('button', { name: /^Points given back/ })
  await expect(row).toContainText(`BACK-${second}`)
  await user.tap(row)
  await expect(main.getByRole('link', { name: `BACK-${second}` })).toBeVisible()
  await inspect('points, below zero')
  await user.tap(main.getByRole('button', { name: /^Points ?−1,800$/ }).last())
  await expect(sheet(page)).toHaveAccessibleName('Why the balance is −1,800 points')
  const returns = sheet(page).getByRole('listitem')
  await expect(returns).toHaveText([
    new RegExp(`BACK-${first}.*−2,500${english('ret.owed')}1,800$`),
    new RegExp(`BACK-${second}.*${english('ret.back')}\\+500$`),
  ])
  await inspect('explain, below zero')

  await openMember(page, company, memberCode)
  await inspect('home, below zero')
  await user.tap(main.getByRole('button', { name: /to reach Green/ }).last())
  await expect(sheet(page).getByText(new RegExp(`BACK-${first} changed the tier`))).toContainText(
    'Green → Associate',
  )
  await inspect('explain, a tier after a return')
})
