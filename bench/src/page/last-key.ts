import type { Browser } from 'playwright-core'
import { median } from '../load.ts'
import { printFigure } from '../report.ts'
import type { World } from '../world.ts'
import { newPage, newPhone, type Profile } from './browser.ts'

const rounds = 7
const targets = { plain: 100, busy: 150 } as const

// Runs in the page: the time from the last key to the frame that shows the member.
const watchKeys = `
  const shows = () => [...document.querySelectorAll('button')]
    .some((button) => button.textContent.endsWith('Open'))
  addEventListener('keydown', () => {
    window.lastKeyAt = performance.now()
    window.memberAfterMs = null
  }, true)
  new MutationObserver(() => {
    if (window.lastKeyAt === undefined || window.memberAfterMs !== null || !shows()) return
    window.memberAfterMs = 0
    requestAnimationFrame(() => {
      const painted = new MessageChannel()
      painted.port1.onmessage = () => {
        window.memberAfterMs = performance.now() - window.lastKeyAt
      }
      painted.port2.postMessage(null)
    })
  }).observe(document, { childList: true, subtree: true, characterData: true })`

/**
 * Measures how soon the member of a complete number is shown after its last key. The network is
 * that of the machine.
 */
export async function measureLastKey(browser: Browser, world: World): Promise<void> {
  for (const profile of ['plain', 'busy'] as const) {
    const times = await timesOf(browser, world, profile)
    printFigure({
      name: `last key to member, ${profile}`,
      value: median(times),
      unit: 'ms',
      target: targets[profile],
      better: 'less',
      from: { most: Math.max(...times), numbers: times.length },
    })
  }
}

async function timesOf(browser: Browser, world: World, profile: Profile): Promise<number[]> {
  const times: number[] = []
  const phone = await newPhone(browser, world)
  const { page } = await newPage(phone, profile)
  await page.addInitScript(watchKeys)
  for (let round = 0; round <= rounds; round++) {
    await page.goto(`${world.product}/bench/member/search/index`)
    await page.locator('input:focus').waitFor()
    // The library of phone numbers is loaded after the page.
    await page.waitForTimeout(1500)
    // At typing speed; faster input is treated as a scanner's.
    await page.keyboard.type(String(60_000_300 + round), { delay: 100 })
    // As a function: the page's policy forbids to evaluate a text again and again.
    await page.waitForFunction(() => Number(Reflect.get(globalThis, 'memberAfterMs')) > 0)
    // In the first round the browser compiles the code, so it is not counted.
    if (round > 0) times.push(await page.evaluate<number>('window.memberAfterMs'))
  }
  await phone.close()
  return times
}
