import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '../../support/fixtures.ts'

// Data that arrives late must not move a button away from the clerk's finger.

/** Sums up how much of the window moved by itself, and how far (Layout Instability API). */
function watchShifts(): void {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'))
    document.documentElement.dataset['shift'] = String(sum)
  }).observe({ type: 'layout-shift', buffered: true })
}

for (const [company, code] of [
  ['aurora', 'AUR10001'],
  ['harbour', 'HAR10001'],
] as const) {
  const still = `${company}: arriving data takes the space that was reserved for it`
  // Firefox does not report layout shifts.
  test(still, { tag: ['@chromium', '@both'] }, async ({ page, startSession }) => {
    await startSession(company)
    await page.addInitScript(watchShifts)
    // One answer after the other, so that each has its own moment.
    let turn = Promise.resolve()
    await page.route('**/connector/**', async (route) => {
      turn = turn.then(() => pause(250))
      await turn
      await route.fallback()
    })
    await page.goto(`/${company}/member/home/view?code=${code}`)
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByText(/12,480/).first()).toBeVisible()
    const moved = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0))
    // Web Vitals call a tenth good.
    expect(moved).toBeLessThan(0.1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
