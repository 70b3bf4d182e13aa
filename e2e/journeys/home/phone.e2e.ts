import { doubleText } from '../../support/browser/text-size.ts'
import { openMember } from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'

// The member's page on a phone: one bar, and the first coupon within reach.

test.use({ viewport: { width: 390, height: 844 } })

const isCut = (text: Element) => text.scrollWidth > text.clientWidth + 1

const firstRedeem = 480
const longName = {
  firstName: 'Wolfeschlegelsteinhausen',
  lastName: 'Bergerdorff de la Torre y Vega',
}

for (const [company, code] of [
  ['aurora', 'AUR10001'],
  ['harbour', 'HAR10002'],
] as const) {
  test(`one bar, and the first coupon of ${company} is in reach`, async ({
    page,
    user,
    startSession,
  }) => {
    await startSession(company)
    await openMember(page, company, code)
    const redeem = page.getByRole('button', { name: /^Redeem, / }).first()
    await expect(redeem).toBeVisible()
    const { y = 844 } = (await redeem.boundingBox()) ?? {}
    expect(y).toBeLessThanOrEqual(firstRedeem)
    await expect(page.getByRole('banner')).toBeHidden()
    const bar = page.locator('.member-bar')
    for (const name of ['Back', 'Scan', 'Next customer']) {
      await expect(bar.getByRole('button', { name, exact: true })).toBeVisible()
    }
    await expect(bar.getByText(/^•••• \d{4}$/)).toBeVisible()
    await user.tap(bar.getByRole('button', { name: 'Next customer' }))
    await expect(page).toHaveURL(/\/member\/search/)
    await expect(page.getByRole('banner')).toBeVisible()
  })
}

test('a long name can be read in full, and the digits are never cut', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora', longName)
  await startSession('aurora')
  for (const width of [360, 390, 820]) {
    await page.setViewportSize({ width, height: 844 })
    await openMember(page, 'aurora', customer.memberCode)
    const bar = page.locator('.member-bar')
    const digits = bar.getByText(customer.mobile.slice(-4))
    expect(await digits.evaluate(isCut), `digits at ${width}`).toBe(false)
    const more = bar.getByRole('button', { expanded: false })
    if ((await more.count()) > 0) await user.tap(more)
    const name = bar.locator('.name')
    expect(
      await name.evaluate((text) => text.scrollHeight - text.clientHeight),
      `name at ${width}`,
    ).toBeLessThanOrEqual(1)
  }
})

for (const tab of ['view', 'coupon']) {
  test(
    `with letters of twice the size, a whole ticket fits between the bars of ${tab}`,
    { tag: '@chromium' },
    async ({ page, startSession }) => {
      await startSession('aurora')
      await page.setViewportSize({ width: 360, height: 640 })
      await doubleText(page)
      await page.goto(`/aurora/member/home/${tab}?code=AUR10001`)
      const ticket = page.getByRole('main').getByRole('article').first()
      await expect(ticket.getByRole('button', { name: /^Redeem/ })).toBeVisible()
      // A notice above the list, which arrives later, moves the ticket.
      await expect.poll(() => ticket.evaluate(hiddenPoints)).toEqual([])
      const redeem = ticket.getByRole('button', { name: /^Redeem/ })
      expect(await redeem.evaluate(isCut)).toBe(false)
      // The pages of the member can still be reached, above the ticket.
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      for (const name of ['Overview', 'Points', 'Profile']) {
        const link = page.getByRole('navigation', { name: 'Member pages' }).getByRole('link')
        const one = link.filter({ hasText: name })
        await one.scrollIntoViewIfNeeded()
        expect(await one.evaluate(hiddenPoints), name).toEqual([])
      }
    },
  )
}

/** Scrolls to an element. @returns its points that lie outside the window or under another one */
function hiddenPoints(element: Element): string[] {
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const parts = [0.02, 0.25, 0.5, 0.75, 0.98]
  // A ticket has notches at its sides: the points are those of its middle line and its corners.
  return parts.flatMap((down) =>
    [0.1, 0.5, 0.9].flatMap((along) => {
      const [x, y] = [left + width * along, top + height * down]
      const above = document.elementFromPoint(x, y)
      return above !== null && element.contains(above) ? [] : [`${along}, ${down}`]
    }),
  )
}
