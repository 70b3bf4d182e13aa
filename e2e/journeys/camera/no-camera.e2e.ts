import { expect, test } from '../../support/fixtures.ts'
import { browserWithSwitches } from '../../support/browser/fake-camera.ts'
import { english } from '../../support/portal/catalogue.ts'

// A browser that has a camera but no permission to use it: its question stays open.

test.use({ launchOptions: browserWithSwitches('--use-fake-device-for-media-stream') })

test('a denied camera is reported, and the number can be typed instead', async ({
  page,
  startSession,
  user,
}) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await user.tap(page.getByRole('button', { name: 'Scan', exact: true }))
  await expect(page.getByText(english('scan.unsupported'))).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
})
