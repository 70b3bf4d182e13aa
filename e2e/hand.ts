import type { Locator, Page } from '@playwright/test'

/** One who works at the counter: touches with a finger or clicks, types, and is counted. */
export type Hand = {
  tap: (target: Locator) => Promise<void>
  /** Types into whatever has the focus, one key after another. */
  type: (text: string) => Promise<void>
  press: (key: string) => Promise<void>
  /** What it took since the last time that this was asked. */
  effort: () => { taps: number; keys: number }
}

export function handAt(page: Page, hasTouch: boolean): Hand {
  let [taps, keys] = [0, 0]
  return {
    async tap(target) {
      taps += 1
      await (hasTouch ? target.tap() : target.click())
    },
    async type(text) {
      keys += text.length
      // A hand is slower than a scanner, which the portal tells from it by that alone.
      await page.keyboard.type(text, { delay: 40 })
    },
    async press(key) {
      keys += 1
      await page.keyboard.press(key)
    },
    effort() {
      const effort = { taps, keys }
      taps = 0
      keys = 0
      return effort
    },
  }
}
