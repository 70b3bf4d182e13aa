import { openMember } from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'

// The search in the header of a wide screen is in a file that a phone loads when it is idle.

const file = '**/assets/search-*.js'
const wide = { width: 1180, height: 820 }

test('a screen that becomes wide without a network gets its search with the network', async ({
  page,
  network,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_FAILED/)
  await startSession('aurora')
  await page.route(file, (route) => route.abort())
  const lost = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/assets/search-'),
  )
  await openMember(page, 'aurora', 'AUR10001')
  await lost
  await network.cut()
  await page.setViewportSize(wide)
  await expect(page.getByText('Last transaction')).toBeVisible()
  await expect(page.getByRole('search')).toBeHidden()

  await page.unroute(file)
  await network.restore()
  const field = page.getByRole('search').getByRole('textbox')
  await field.fill('AUR10')
  // It keeps its text when the screen is turned.
  await page.setViewportSize({ width: 820, height: 1180 })
  await expect(field).toBeHidden()
  await page.setViewportSize(wide)
  await expect(field).toHaveValue('AUR10')
})
