import type { Browser, Page } from 'playwright-core'
import { median } from '../load.ts'
import { printFigure } from '../report.ts'
import type { World } from '../world.ts'
import { newPage, newPhone } from './browser.ts'

const rounds = 5
const targets = { plain: 80, slow: 80 }

// Runs in the page: the longest time from a touch or a key to the next paint. The browser reports
// it in steps of 8 ms, with a minimum of 16 ms.
const watchTouches = `
  window.slowestTouch = 0
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) window.slowestTouch = Math.max(window.slowestTouch, duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/** Measures how soon the screen responds when a member is opened and when a coupon is redeemed. */
export async function measureActions(
  browser: Browser,
  world: World,
  profile: keyof typeof targets,
): Promise<void> {
  const [opening, redeeming]: [number[], number[]] = [[], []]
  // Each profile uses different members, because a coupon can be redeemed only once.
  const first = profile === 'plain' ? 100 : 200
  const phone = await newPhone(browser, world)
  const { page } = await newPage(phone, profile)
  await page.addInitScript(watchTouches)
  for (let round = 0; round <= rounds; round++) {
    await page.goto(`${world.product}/bench/member/search/index`)
    await page.locator('input:focus').waitFor()
    // At typing speed; faster input is treated as a scanner's.
    await page.keyboard.type(String(60_000_000 + first + round), { delay: 100 })
    const found = page.getByRole('button', { name: /Open$/ })
    await found.waitFor()
    const opened = await slowestOf(page, async () => {
      await found.click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    })
    const ticket = page.getByRole('main').getByRole('article').first()
    const redeem = ticket.getByRole('button', { name: 'Redeem' })
    await redeem.waitFor()
    const redeemed = await slowestOf(page, async () => {
      await redeem.click()
      await page.getByRole('button', { name: 'Redeem coupon', exact: true }).click()
      await page.getByRole('dialog', { name: 'Coupon redeemed successfully' }).waitFor()
    })
    // In the first round the browser compiles the code, so it is not counted.
    if (round > 0) {
      opening.push(opened)
      redeeming.push(redeemed)
    }
  }
  await phone.close()
  for (const [name, times] of [
    ['opening a member', opening],
    ['redeeming a coupon', redeeming],
  ] as const) {
    printFigure({
      name: `touch to paint, ${name}, ${profile}`,
      value: median(times),
      unit: 'ms',
      target: targets[profile],
      better: 'less',
      from: { most: Math.max(...times), touches: times.length },
    })
  }
}

/** The slowest response during `act`, including 300 ms after it. */
async function slowestOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate('window.slowestTouch = 0')
  await act()
  await page.waitForTimeout(300)
  return page.evaluate<number>('window.slowestTouch')
}
