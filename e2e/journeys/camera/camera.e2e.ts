import { expect, type Page, test } from '../../support/fixtures.ts'
import { browserWithCamera } from '../../support/browser/fake-camera.ts'
import { english } from '../../support/portal/catalogue.ts'

// The camera: a QR code on a customer's telephone, read in a real browser by the decoder that the
// browser needs. One file for each thing that a camera can see, since a browser has one camera.

test.use({ launchOptions: browserWithCamera('member', 'https://shop.example/m?code=AUR10001') })
// Each worker would start a browser of its own for these few journeys.
test.describe.configure({ mode: 'default' })

const grace = (page: Page) => page.getByRole('heading', { name: 'Grace Lee', level: 1 })
const scan = (page: Page) => page.getByRole('button', { name: 'Scan', exact: true })
const camera = (page: Page) => page.getByRole('dialog', { name: english('scan.title') })

/** The files that the page has fetched since it was opened, and their bytes on the wire. */
const fetched = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => (entry instanceof PerformanceResourceTiming ? entry : null))
      .map((entry) => ({ name: entry?.name ?? '', bytes: entry?.encodedBodySize ?? 0 })),
  )

const decodedIn = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByName('scan.decode').map(({ duration }) => Math.round(duration)),
  )

test('a member’s QR code in front of the camera opens the member: one tap', async ({
  page,
  startSession,
  user,
}, { annotations }) => {
  const files: { name: string; bytes: number }[] = []
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (!/CameraSheet|decode|zxing/.test(pathname)) return
    const size = await response.request().sizes()
    files.push({ name: pathname, bytes: size.responseBodySize })
  })
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await expect(scan(page)).toBeVisible()
  // The decoder is not loaded before the camera is opened.
  expect((await fetched(page)).filter(({ name }) => /zxing|decode/.test(name))).toEqual([])
  await user.tap(scan(page))
  await expect(grace(page)).toBeVisible()
  await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
  expect(user.countSteps()).toEqual({ taps: 1, keys: 0 })

  const took = await decodedIn(page)
  expect(took.length).toBeGreaterThan(0)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const told = `${files.length} files, ${bytes} bytes; frame to code ${took.join(', ')} ms`
  annotations.push({ type: 'camera', description: told })
  // The decoder with its page, which is loaded on demand.
  expect(bytes).toBeLessThan(420 * 1024)
  expect(Math.min(...took)).toBeLessThan(1000)
})

test('a browser with its own decoder does not fetch ours', async ({ page, startSession }) => {
  // Chromium on Linux has none, so the test replaces the system's decoder, and nothing else.
  await page.addInitScript(() => {
    class Own {
      static getSupportedFormats = () => Promise.resolve(['qr_code', 'code_128', 'ean_13'])
      detect = (picture: unknown) =>
        Promise.resolve(
          picture instanceof HTMLVideoElement && picture.videoWidth > 0
            ? [{ rawValue: '6200000010001' }]
            : [],
        )
    }
    Reflect.set(globalThis, 'BarcodeDetector', Own)
  })
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await scan(page).click()
  await expect(grace(page)).toBeVisible()
  expect((await fetched(page)).filter(({ name }) => /zxing|decode/.test(name))).toEqual([])
})

test('from a member’s page the camera finds the next one', async ({
  page,
  startSession,
  shop,
  user,
}) => {
  const { memberCode } = await shop.customer('aurora')
  await startSession('aurora')
  await page.goto(`/aurora/member/home/view?code=${memberCode}`)
  await user.tap(scan(page))
  await expect(grace(page)).toBeVisible()
  await expect(camera(page)).toBeHidden()
})

test('the camera goes off with its sheet', async ({ page, startSession }) => {
  await page.addInitScript(() => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    const opened: MediaStream[] = []
    Reflect.set(globalThis, 'opened', opened)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await ask(wanted)
      opened.push(stream)
      return stream
    }
  })
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await scan(page).click()
  await expect(grace(page)).toBeVisible()
  const live = await page.evaluate(() => {
    const opened: unknown = Reflect.get(globalThis, 'opened')
    const streams = Array.isArray(opened) ? opened.filter((one) => one instanceof MediaStream) : []
    return streams.flatMap((stream) => stream.getTracks().map(({ readyState }) => readyState))
  })
  expect(live.length).toBeGreaterThan(0)
  expect(new Set(live)).toEqual(new Set(['ended']))
})
