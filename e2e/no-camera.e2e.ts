import { expect, test } from './fixtures.ts'
import { browserWith } from './filmed.ts'

// A browser that has a camera but is not allowed to use it: nobody answers its question.

test.use({ launchOptions: browserWith('--use-fake-device-for-media-stream') })

test('a camera that is denied is told, and the number is typed instead', async ({
  page,
  enter,
  hand,
}) => {
  await enter('aurora')
  await page.goto('/aurora/member/search/index')
  await hand.tap(page.getByRole('button', { name: 'Scan', exact: true }))
  await expect(
    page.getByText(
      'The current device does not support scanning, please change the browser or connect camera',
    ),
  ).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
})
