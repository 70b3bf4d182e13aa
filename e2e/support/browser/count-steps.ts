import type { Locator, Page } from '@playwright/test'

/** The person at the counter: taps or clicks, and types. Each step is counted. */
export type User = {
  tap: (target: Locator) => Promise<void>
  /** Types into the focused element, one key after another. */
  type: (text: string) => Promise<void>
  press: (key: string) => Promise<void>
  /** The steps since the last call of this function. */
  countSteps: () => { taps: number; keys: number }
}

/** @param hasTouch whether `tap` is a touch or a click of the mouse */
export function userAt(page: Page, hasTouch: boolean): User {
  let [taps, keys] = [0, 0]
  return {
    async tap(target) {
      taps += 1
      await (hasTouch ? target.tap() : target.click())
    },
    async type(text) {
      keys += text.length
      // Slower than a scanner: the portal distinguishes the two by their speed alone.
      await page.keyboard.type(text, { delay: 40 })
    },
    async press(key) {
      keys += 1
      await page.keyboard.press(key)
    },
    countSteps() {
      const steps = { taps, keys }
      taps = 0
      keys = 0
      return steps
    },
  }
}
