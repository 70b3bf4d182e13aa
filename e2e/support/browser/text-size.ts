import type { Page } from '@playwright/test'

/** The usual letters of a browser; in px. */
const usual = { standard: 16, fixed: 13 }

/**
 * Makes all letters twice as large, as a user does in the settings of the browser. Unlike a style
 * of the page, this also counts in its media queries. Only Chromium can do it.
 */
export async function doubleText(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const fontSizes = { standard: usual.standard * 2, fixed: usual.fixed * 2 }
  await browser.send('Page.setFontSizes', { fontSizes })
}
