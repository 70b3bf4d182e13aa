import { AxeBuilder } from '@axe-core/playwright'
import type { Result } from 'axe-core'
import { expect, test as base, type Page } from '../fixtures.ts'

type Inspect = (screen: string) => Promise<void>

/** A journey that has each screen looked at. */
export const test = base.extend<{ inspect: Inspect }>({
  inspect: async ({ page }, use) => {
    base.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await use(async (screen) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await expectNone(page, new AxeBuilder({ page }), `${screen}, light`)
      // In the dark only the colours are others.
      await page.emulateMedia({ colorScheme: 'dark' })
      const colours = new AxeBuilder({ page }).withRules(['color-contrast'])
      await expectNone(page, colours, `${screen}, dark`)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, `${screen} is wider than the screen by`).toBe(0)
    })
  },
})

async function expectNone(page: Page, axe: AxeBuilder, screen: string): Promise<void> {
  await settled(page)
  const { violations } = await axe.analyze()
  expect(violations.flatMap(readable), screen).toEqual([])
}

function readable({ id, nodes }: Result): string[] {
  return nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`)
}

/** Waits for what still moves: colours are judged when they have arrived. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter((animation) => {
      return animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY
    })
    await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)))
  })
}
