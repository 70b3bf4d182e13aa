import { expect } from '../../support/fixtures.ts'
import { test } from '../../support/judges/axe.ts'

// axe-core finds nothing on the receipts, in light and in dark, and nothing is cut off.

for (const [company, code] of [
  ['aurora', 'AUR10001'],
  ['harbour', 'HAR10001'],
] as const) {
  test(`the receipts of ${company}: none open, one open, none found`, async ({
    page,
    user,
    startSession,
    inspect,
  }) => {
    await startSession(company)
    await page.goto(`/${company}/member/home/transaction?code=${code}&lang=en-US`)
    const rows = page.getByRole('listitem').getByRole('button', { name: /\d\d\/\d\d\/\d{4}/ })
    await rows.first().waitFor()
    await inspect('receipts')
    await page.getByRole('searchbox', { name: 'Invoice no.' }).fill('nowhere')
    await page.getByText('No transaction with this number').last().waitFor()
    await inspect('receipts, none found')
    await page.getByRole('searchbox', { name: 'Invoice no.' }).fill('')
    await expect(rows.nth(1)).toBeVisible()
    await user.tap(rows.first())
    await page.getByText('Net spend').waitFor()
    await inspect('receipts, one open')
  })
}
