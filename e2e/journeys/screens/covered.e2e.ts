import { test } from '../../support/fixtures.ts'
import { expectNothingCovered } from '../../support/judges/covered.ts'
import { textsIn } from '../../support/portal/catalogue.ts'
import { screens } from '../../support/portal/screens.ts'

// No bar, panel or sheet covers an action that the clerk can press, on any screen at any width.

test.use({ isMobile: false, hasTouch: true, viewport: { width: 390, height: 844 } })

/** The screens with bars or side panels. A short run visits only these. */
const layered = new Set(['search', 'member', 'coupon', 'coupons to select', 'issue', 'sale'])

for (const { name, company, account, path, shows } of screens) {
  const tag = ['@chromium', ...(layered.has(name) ? [] : ['@full'])]
  test(`${name}: every action can be pressed`, { tag }, async ({ page, startSession }) => {
    test.slow()
    if (account !== null) await startSession(company, account)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path)
    await shows(page, textsIn('en-US'))
    await page.waitForLoadState('networkidle')
    await expectNothingCovered(page)
  })
}
