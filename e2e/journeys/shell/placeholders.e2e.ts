import { expect, test, type Page } from '../../support/fixtures.ts'
import { overflowOf } from '../../support/judges/layout.ts'

// A placeholder has the size of what it replaces, and stays inside its block.

/** The addresses whose placeholders are checked, with the calls that must not be answered. */
const pages: readonly [address: string, held: string][] = [
  ...['view', 'coupon', 'point', 'point-redeem', 'transaction', 'userinfo'].map(
    (tab): [string, string] => [
      `/aurora/member/home/${tab}?code=AUR10001`,
      '**/connector/{customer,coupon,points,transaction,tier}/**',
    ],
  ),
  ['/aurora/member/search/register', '**/connector/config/getCustomRegisterConfig*'],
  ['/aurora/shift', '**/connector/staff/**'],
]

/** The placeholders that reach over the edge of an element around them, by its class. */
function wideOn(page: Page): Promise<string[]> {
  return page.locator('.skeleton').evaluateAll((placeholders) => {
    const slack = 0.5
    return placeholders.flatMap((placeholder) => {
      const { left, right } = placeholder.getBoundingClientRect()
      for (let frame = placeholder.parentElement; frame !== null; frame = frame.parentElement) {
        // An element without a box of its own, such as `display: contents`, holds nothing.
        if (frame.getClientRects().length === 0) continue
        const box = frame.getBoundingClientRect()
        if (left < box.left - slack || right > box.right + slack) return [frame.className]
      }
      return []
    })
  })
}

for (const [address, held] of pages) {
  test(
    `${address} keeps its placeholders inside`,
    { tag: '@both' },
    async ({ page, startSession }) => {
      await startSession('aurora')
      await page.route(held, () => {})
      await page.goto(address)
      await expect(page.locator('.skeleton').filter({ visible: true })).not.toHaveCount(0)
      expect(await wideOn(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  )
}
