import { couponTicket, openMember } from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'
import { scan } from '../../support/browser/scanner.ts'
import { english } from '../../support/portal/catalogue.ts'

// Several bars stay while a page scrolls, and some appear by themselves: none covers the member's
// name, the way to another page, or a question.

test(
  'the member’s name stays visible while the page scrolls',
  { tag: '@both' },
  async ({ page, startSession }) => {
    await startSession('aurora')
    await page.goto('/aurora/member/home/userinfo?code=AUR10001')
    const save = page.getByRole('button', { name: 'Save' })
    await save.waitFor()
    const name = page.getByRole('heading', { level: 1 })
    const covered = await name.evaluate(async (heading) => {
      const found: number[] = []
      for (let top = 0; top < document.documentElement.scrollHeight; top += 24) {
        scrollTo({ top, behavior: 'instant' })
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        const { x, y, width, height } = heading.getBoundingClientRect()
        const uppermost = document.elementFromPoint(x + width / 2, y + height / 2)
        if (uppermost === null || !heading.contains(uppermost)) found.push(top)
      }
      return found
    })
    expect(covered, 'scrolled by').toEqual([])
  },
)

test(
  'that the network is back covers no way to another page',
  { tag: '@both' },
  async ({ page, network, startSession }) => {
    await startSession('aurora')
    await openMember(page, 'aurora', 'AUR10001')
    await expect(page.getByText('Last transaction')).toBeVisible()
    await network.cut()
    await expect(page.getByText(english('off.bar')).first()).toBeVisible()
    await network.restore()
    const back = page.getByRole('status').filter({ hasText: 'Back online' })
    await expect(back).toBeVisible()
    const tabs = page.getByRole('navigation', { name: 'Member pages' }).getByRole('link')
    const heading = page.getByRole('heading', { level: 1 })
    for (const one of [heading, ...(await tabs.all())]) {
      expect(await one.evaluate(isInSight), String(await one.textContent())).toBe(true)
    }
    await expect(back).toBeHidden()
  },
)

test('next to a long name the number of the member keeps its last digit', async ({
  page,
  startSession,
  shop,
}) => {
  const name = { firstName: 'Wolfeschlegelsteinhausen', lastName: 'Bergerdorff-Maximiliana' }
  const { memberCode, mobile } = await shop.customer('aurora', name)
  await startSession('aurora')
  await page.goto(`/aurora/member/home/view?code=${memberCode}`)
  const number = page.getByText(mobile.slice(-4)).first()
  const squeezedBy = await number.evaluate((element) => {
    const { width } = element.getBoundingClientRect()
    element.style.flexShrink = '0'
    return element.getBoundingClientRect().width - width
  })
  expect(squeezedBy).toBe(0)
})

test(
  'next to an open panel each page of the member can be reached',
  { tag: '@tablet' },
  async ({ page, startSession }) => {
    // On a narrow screen it is a sheet, which is answered before anything else.
    await page.setViewportSize({ width: 1180, height: 820 })
    await startSession('aurora')
    await page.goto('/aurora/member/home/coupon?code=AUR10001')
    await page.getByRole('button', { name: 'Issue coupon' }).click()
    await page
      .getByRole('dialog', { name: 'Issue coupon' })
      .getByText('Free', { exact: true })
      .waitFor()
    // The page beside it stays usable, on each width that has a panel.
    const stub = page.getByRole('main').getByRole('article').first().getByRole('button').last()
    for (const width of [1180, 1440, 1920]) {
      await page.setViewportSize({ width, height: 820 })
      expect(await stub.evaluate(isInSight), `the ticket at ${width}`).toBe(true)
    }
    await page.setViewportSize({ width: 1180, height: 820 })
    const tabs = page.getByRole('navigation', { name: 'Member pages' }).getByRole('link')
    for (const tab of await tabs.all()) {
      await tab.scrollIntoViewIfNeeded()
      expect(await tab.evaluate(isInSight), String(await tab.textContent())).toBe(true)
    }
    await page.getByRole('link', { name: 'Profile' }).click()
    await expect(page).toHaveURL(/\/member\/home\/userinfo/)
  },
)

test(
  'ticked coupons have the end of the page to themselves',
  { tag: '@both' },
  async ({ page, user, startSession, shop }) => {
    const customer = await shop.customer('aurora')
    for (const coupon of ['BIRTHDAY', 'HOUSE']) await shop.coupon('aurora', customer, coupon)
    await startSession('aurora')
    await page.goto(`/aurora/member/home/coupon?code=${customer.memberCode}`)
    await couponTicket(page).waitFor()
    // On a tablet it is in the rail, and on a phone in the member's bar: away from the coupons.
    const next = page.getByRole('main').getByRole('button', { name: 'Next customer' })
    await user.tap(page.getByRole('button', { name: 'Select several' }))
    await expect(next.filter({ visible: true })).toHaveCount(1)
    await expect(page.locator('.after-tray')).toBeHidden()
    await user.tap(page.getByRole('main').getByRole('button', { name: 'Cancel' }))
    await expect(next.filter({ visible: true })).toHaveCount(1)
  },
)

test(
  'a question about a scan is seen wherever the page is scrolled to',
  { tag: '@both' },
  async ({ page, startSession, shop }) => {
    const other = await shop.customer('aurora')
    await startSession('aurora')
    await page.goto('/aurora/member/home/userinfo?code=AUR10001')
    const first = page.getByRole('textbox', { name: 'First name' })
    await first.fill('Gracie')
    await first.blur()
    await page.evaluate(() => scrollTo({ top: 500, behavior: 'instant' }))
    await scan(page, other.memberCode)
    const stay = page.getByRole('button', { name: 'Stay' })
    await expect(stay).toBeVisible()
    expect(await stay.evaluate(isInSight)).toBe(true)
  },
)

/** Whether nothing lies over its middle. */
function isInSight(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  return top !== null && element.contains(top)
}
