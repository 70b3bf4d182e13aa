import { expect } from './fixtures.ts'
import { test } from './look.ts'

// axe-core finds nothing on the receipts, in light and in dark, and nothing is cut off.

for (const [company, code] of [
  ['aurora', 'AUR10001'],
  ['harbour', 'HAR10001'],
] as const) {
  test(`the receipts of ${company}: none open, one open, none found`, async ({
    page,
    hand,
    enter,
    look,
  }) => {
    await enter(company)
    await page.goto(`/${company}/member/home/transaction?code=${code}&lang=en-US`)
    const rows = page.getByRole('listitem').getByRole('button', { name: /\d\d\/\d\d\/\d{4}/ })
    await rows.first().waitFor()
    await look('receipts')
    await page.getByRole('searchbox', { name: 'Invoice no.' }).fill('nowhere')
    await page.getByText('No transaction with this number').last().waitFor()
    await look('receipts, none found')
    await page.getByRole('searchbox', { name: 'Invoice no.' }).fill('')
    await expect(rows.nth(1)).toBeVisible()
    await hand.tap(rows.first())
    await page.getByText('Net spend').waitFor()
    await look('receipts, one open')
  })
}
