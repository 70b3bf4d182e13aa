import { toBuffer } from 'qrcode'
import { expect, type Page, test, rowTag } from '../../support/fixtures.ts'
import { browserWithCamera } from '../../support/browser/fake-camera.ts'
import { english } from '../../support/portal/catalogue.ts'

// The camera without a result: a foreign code, no code, or no camera.

test.use({ launchOptions: browserWithCamera('stranger', 'https://shop.example/menu') })
// Each worker would start a browser of its own for these few journeys.
test.describe.configure({ mode: 'default' })

const scan = (page: Page) => page.getByRole('button', { name: 'Scan', exact: true })
const camera = (page: Page) => page.getByRole('dialog', { name: english('scan.title') })
const field = (page: Page) => page.getByRole('textbox', { name: 'Mobile' })
const unsupported = english('scan.unsupported')

test.beforeEach(async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await expect(field(page)).toBeFocused()
})

test('a foreign code leaves the camera on; typing is a tap away', async ({ page, user }) => {
  await user.tap(scan(page))
  await expect(camera(page).getByText(english('scan.notMember'))).toBeVisible()
  await expect(camera(page)).toBeVisible()
  await expect(page).toHaveURL('/aurora/member/search/index')
  await user.tap(camera(page).getByRole('button', { name: 'Flip camera' }))
  await expect(camera(page).getByRole('button', { name: 'Flip camera' })).toBeVisible()
  await user.tap(camera(page).getByRole('button', { name: english('scan.manual') }))
  await expect(camera(page)).toBeHidden()
  await expect(field(page)).toBeFocused()
})

test('a photo of a code does as well as the code', async ({ page, user }) => {
  await user.tap(scan(page))
  const photo = camera(page).getByLabel(english('scan.photo'))
  const nothing = { name: 'dog.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await photo.setInputFiles({ ...nothing, buffer: await toBuffer(' ', { scale: 1, margin: 0 }) })
  const code = await toBuffer('{"cardNumber":"6200000010001"}', { scale: 6 })
  await photo.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: code })
  await expect(page.getByRole('heading', { name: 'Grace Lee', level: 1 })).toBeVisible()
})

for (const [n, reason] of ['NotAllowedError', 'NotFoundError', 'NotReadableError'].entries()) {
  test(
    `${reason}: reported in the specification’s words, and the field has the focus`,
    rowTag(n, 1),
    async ({ page, user }) => {
      // A browser's errors where the camera is forbidden, missing, or used by another program.
      await page.evaluate((name) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', name))
      }, reason)
      await user.tap(scan(page))
      await expect(page.getByText(unsupported)).toBeVisible()
      await expect(page.getByText(english('scan.byHand'))).toBeVisible()
      await expect(camera(page)).toBeHidden()
      await expect(field(page)).toBeFocused()
      await user.type('2')
      await expect(page.getByText(unsupported)).toBeHidden()
    },
  )
}
