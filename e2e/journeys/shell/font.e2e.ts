import { expect, type Page, test } from '../../support/fixtures.ts'

// The page is painted with a font of the device. The portal's own font arrives after that, with
// the same widths and heights, so that no button moves under a finger.

// The device has not loaded the font yet.
test.use({ hasOwnContext: true })

type Moved = { share: number; down: number }

/**
 * Records how much of the window moved by itself (Layout Instability API), and how far anything
 * moved up or down, in pixels.
 */
function watchShifts(): void {
  const moved = { share: 0, down: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      moved.share += Number(Reflect.get(entry, 'value'))
      for (const { previousRect, currentRect } of Reflect.get(entry, 'sources')) {
        moved.down = Math.max(moved.down, Math.abs(previousRect.y - currentRect.y))
      }
    }
    Reflect.set(globalThis, 'moved', { ...moved })
  }).observe({ type: 'layout-shift', buffered: true })
}

const shiftOf = (page: Page) =>
  page.evaluate((none): Moved => Reflect.get(globalThis, 'moved') ?? none, { share: 0, down: 0 })
const hasFont = (page: Page) =>
  page.evaluate(() =>
    [...document.fonts].some(({ family, status }) => /Latin/.test(family) && status === 'loaded'),
  )

for (const [name, address, shown] of [
  ['login', '/aurora/login', 'form input'],
  ['search', '/aurora/member/search/index', 'main input'],
  ['overview', '/aurora/member/home/view?code=AUR10001', 'main article'],
  ['overview in Chinese', '/lotus/member/home/view?code=LOT10001', 'main article'],
] as const) {
  const still = `${name}: the font moves nothing when it arrives`
  test(still, { tag: ['@chromium', '@both'] }, async ({ page, startSession }) => {
    const company = address.split('/')[1] ?? ''
    if (name !== 'login') await startSession(company)
    await page.addInitScript(watchShifts)
    const { promise: released, resolve } = Promise.withResolvers<void>()
    await page.route('**/*.woff2', async (route) => {
      await released
      await route.fallback()
    })
    const asked = page.waitForRequest('**/*.woff2')
    // The font would hold the page's load event back.
    await page.goto(address, { waitUntil: 'commit' })
    await page.locator(shown).first().waitFor()
    await asked
    await page.waitForTimeout(800)
    const before = await shiftOf(page)
    resolve()
    await expect.poll(() => hasFont(page)).toBe(true)
    await page.waitForTimeout(400)
    const after = await shiftOf(page)
    expect(after.share - before.share).toBeLessThan(0.0005)
    expect(after.down).toBe(before.down)
  })
}

test('the font is asked for after the program, and at once when the device has it', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const fontOf = () => asked.findIndex((path) => path.endsWith('.woff2'))
  await page.goto('/aurora/login')
  await expect.poll(fontOf).toBeGreaterThan(-1)
  const program = asked.findLastIndex((path) => /\/assets\/(base|start|main)-/.test(path))
  expect(fontOf()).toBeGreaterThan(program)
  await expect.poll(() => hasFont(page)).toBe(true)
  const kept = await page.evaluate(() => localStorage.getItem('tillside:font'))
  expect(kept).toMatch(/inter.*\.woff2$/)
})
