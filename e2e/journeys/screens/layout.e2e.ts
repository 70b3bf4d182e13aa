import type { Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import {
  coveredFocusOn,
  cutTextsOn,
  overflowOf,
  smallTargetsOn,
} from '../../support/judges/layout.ts'
import {
  sameInForcedColors,
  unnamedNodesOn,
  movingElementsOn,
} from '../../support/judges/accessibility-tree.ts'
import { screens } from '../../support/portal/screens.ts'
import { textsIn } from '../../support/portal/catalogue.ts'

// Every screen on every device, held upright and on its side, in light and in dark: nothing is
// wider than its window, no text is cut, what is pressed fits a finger, and no bar lies over what
// has the focus. Nor is anything nameless, restless or told by its colour alone.

const touched = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 820, height: 1180 },
  { width: 1180, height: 820 },
]
const clicked = [
  { width: 1180, height: 820 },
  { width: 1440, height: 900 },
]

test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

/** Exchanges the finger for a mouse, as who plugs one in does. */
async function takeMouse(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
}

async function expectFits(page: Page, where: string, target: number): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect.soft(await overflowOf(page), `${where}, ${colorScheme}: wider by`).toBe(0)
    expect.soft(await cutTextsOn(page), `${where}, ${colorScheme}: cut`).toEqual([])
  }
  expect.soft(await smallTargetsOn(page, target), `${where}: too small`).toEqual([])
  expect.soft(await coveredFocusOn(page), `${where}: covered`).toEqual([])
}

const english = textsIn('en-US')

for (const { name, company, account, path, shows } of screens) {
  test(`${name} fits every device`, async ({ page, startSession }) => {
    test.slow()
    if (account !== null) await startSession(company, account)
    await page.goto(path)
    await shows(page, english)
    await page.waitForLoadState('networkidle')
    for (const size of touched) {
      await page.setViewportSize(size)
      await expectFits(page, `${size.width} × ${size.height}, touched`, 44)
    }
    expect.soft(await unnamedNodesOn(page), 'without a name').toEqual([])
    expect.soft(await movingElementsOn(page), 'moves, though motion is unwanted').toEqual([])
    expect.soft(await sameInForcedColors(page), 'alike without colours').toEqual([])
    await takeMouse(page)
    for (const size of clicked) {
      await page.setViewportSize(size)
      await expectFits(page, `${size.width} × ${size.height}, clicked`, 24)
    }
    await page.setViewportSize({ width: 360, height: 640 })
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect.soft(await overflowOf(page), 'letters twice as large: wider by').toBe(0)
    const cut = await cutTextsOn(page)
    // A number that is longer than its field is scrolled by the caret.
    const texts = cut.filter((text) => !text.startsWith('in a field'))
    expect.soft(texts, 'letters twice as large: cut').toEqual([])
  })
}
