import type { Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  // The script below defines it in the page.
  var axe: typeof import('axe-core')
}

/**
 * axe-core's findings on the page. The portal has no frames, so one call in the page itself
 * is enough, at a tenth of the cost of a call for each frame.
 * @param rules only these rules; all of them unless given
 */
export async function axeViolationsOn(page: Page, rules?: string[]): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  if (!isLoaded) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { violations } = await globalThis.axe.run(document, {
      resultTypes: ['violations'],
      // No rule that runs here needs the files of the page a second time.
      preload: false,
      ...(only === undefined ? {} : { runOnly: only }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    )
  }, rules)
}
