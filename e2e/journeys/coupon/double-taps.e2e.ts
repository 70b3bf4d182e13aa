import { expect, test as base, type Page } from '../../support/fixtures.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { couponTicket, sheet } from '../../support/portal/member-page.ts'

// A double tap on a button that asks before value moves leaves exactly one open question, which the
// clerk can answer or leave.

/** The times between the two taps; in ms. */
const gaps = [60, 120, 250, 400]

type Button = {
  name: string
  tab: string
  /** Leads to the button. */
  ready?: (page: Page) => Promise<void>
  press: (page: Page) => ReturnType<Page['locator']>
  /** The button that answers the question. */
  answer: RegExp
}

const main = (page: Page) => page.getByRole('main')

const buttons: Button[] = [
  {
    name: 'a ticket of the overview',
    tab: 'view',
    press: (page) => couponTicket(page).getByRole('button'),
    answer: /^Redeem coupon$/,
  },
  {
    name: 'several coupons',
    tab: 'coupon',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Select several' }).filter({ visible: true }).click()
      await page.getByRole('button', { name: 'Select all' }).click()
    },
    press: (page) => page.getByRole('button', { name: 'Redeem 2 coupons' }),
    answer: /^Redeem 2 coupons$/,
  },
  {
    name: 'an offer of the issue panel',
    tab: 'coupon',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Issue coupon' }).filter({ visible: true }).click()
    },
    press: (page) => sheet(page).getByRole('button', { name: 'Issue, House voucher' }),
    answer: /^Issue coupon$/,
  },
  {
    name: 'a reward',
    tab: 'point-redeem',
    press: (page) => main(page).getByRole('button', { name: 'House blend, 250 g' }),
    answer: /^Redeem 1,800 points$/,
  },
  {
    name: 'a sale',
    tab: 'point-redeem',
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Against this sale' }).check()
      await main(page).getByRole('textbox').first().fill('40')
    },
    press: (page) => main(page).getByRole('button', { name: 'Max 2,000' }),
    answer: /^Use .* points$/,
  },
]

const test = base.extend<{ code: string }>({
  code: async ({ startSession, shop }, use) => {
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    await shop.coupon('aurora', customer, 'HOUSE')
    await givePoints('aurora', customer, 5000)
    await startSession('aurora')
    await use(customer.memberCode)
  },
})

for (const { name, tab, ready, press, answer } of buttons) {
  test(
    `two taps on ${name} leave one question`,
    { tag: '@both' },
    async ({ page, hasTouch, code }) => {
      for (const gap of gaps) {
        await page.goto(`/aurora/member/home/${tab}?code=${code}`)
        await main(page).getByRole('heading', { level: 1 }).waitFor()
        await ready?.(page)
        await tapTwice(page, press(page), gap, hasTouch)
        const button = sheet(page).getByRole('button', { name: answer })
        await expect(button, `${gap} ms`).toBeEnabled()
        // Nothing closes the question or answers it later.
        await page.waitForTimeout(500)
        await expect(sheet(page), `${gap} ms`).toHaveCount(1)
        await expect(button, `${gap} ms`).toBeEnabled()
      }
    },
  )
}

test(
  'two taps leave one question on a page that is busy when it opens',
  { tag: '@both' },
  async ({ page, hasTouch, code }) => {
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('[role=dialog]') === null) return
        observer.disconnect()
        const end = performance.now() + 1200
        while (performance.now() < end);
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await page.goto(`/aurora/member/home/point-redeem?code=${code}`)
    // The second tap is outside the sheet. The page is busy then, and handles it a second later.
    const reward = main(page).getByRole('button', { name: 'House blend, 250 g' })
    await tapTwice(page, reward, 300, hasTouch)
    await page.waitForTimeout(500)
    const answer = sheet(page).getByRole('button', { name: /^Redeem 1,800 points$/ })
    await expect(answer).toBeEnabled()
  },
)

test(
  'two taps on the answer leave its result open',
  { tag: '@both' },
  async ({ page, hasTouch, code }) => {
    for (const gap of [120, 250]) {
      await page.goto(`/aurora/member/home/view?code=${code}`)
      await main(page).getByRole('article').getByRole('button').first().click()
      const answer = sheet(page).getByRole('button', { name: 'Redeem coupon' })
      await tapTwice(page, answer, gap, hasTouch)
      await page.waitForTimeout(600)
      await expect(sheet(page)).toHaveAccessibleName('Coupon redeemed successfully')
    }
  },
)

/** Taps the middle of the target twice, wherever the second tap then lands. */
async function tapTwice(
  page: Page,
  target: ReturnType<Page['locator']>,
  gap: number,
  hasTouch: boolean,
): Promise<void> {
  await target.click({ trial: true })
  const box = await target.boundingBox()
  if (box === null) throw new Error('the button is not on screen')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const tap = () => (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y))
  const begun = performance.now()
  const first = tap()
  await page.waitForTimeout(Math.max(0, gap - (performance.now() - begun)))
  await Promise.all([first, tap()])
}
