import { redeemCoupon } from '@tillside/contract/coupon'
import { redeemPoints } from '@tillside/contract/points'
import { couponTicket } from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'
import { givePoints } from '../../support/demo/test-points.ts'

// A day is the company's, wherever the till's clock believes to be. At any moment one of these
// zones at least has another date than New York.

const zone = 'America/New_York'
const dayIn = (at: number) => {
  const written = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short' })
  return written.format(at)
}

const timeIn = (at: number) => {
  const written = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' })
  return written.format(at)
}

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test.describe(`in a browser in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test('coupons begin, end and were used on the company’s days', async ({
      page,
      user,
      startSession,
      shop,
      api,
    }) => {
      const validity = { days: 1, after: 0 }
      const company = await shop.company('aurora', ({ coupons, ...definition }) => ({
        ...definition,
        coupons: coupons.map((coupon) =>
          coupon.id === 'BIRTHDAY' || coupon.id === 'SATURDAY' ? { ...coupon, validity } : coupon,
        ),
      }))
      const customer = await shop.customer(company)
      const couponCode = await shop.coupon(company, customer, 'SATURDAY')
      await shop.coupon(company, customer)
      const token = await startSession(company, await shop.clerk(company))
      const { memberCode } = customer
      await api.data(redeemCoupon, { couponCode, memberCode }, { token })
      const today = dayIn(Date.now())
      await page.goto(`/${company}/member/home/coupon?code=${memberCode}`)
      const ticket = couponTicket(page)
      await expect(ticket).toContainText('Ends today')
      const period = `${today} – ${today}`
      await expect(ticket).toContainText(new RegExp(period.replaceAll(' ', String.raw`\s`)))
      await user.tap(page.getByRole('radio', { name: 'Redeemed' }))
      await expect(page.getByRole('main').locator('.stamp')).toHaveText(
        `Redeemed${today}Bryant Park`,
      )
    })

    test('points were earned on the company’s days', async ({ page, user, startSession, shop }) => {
      const customer = await shop.customer('aurora')
      await givePoints('aurora', customer, 5000)
      const today = dayIn(Date.now())
      await startSession('aurora')
      await page.goto(`/aurora/member/home/point?code=${customer.memberCode}`)
      const main = page.getByRole('main')
      const month = main.getByRole('region', { name: /^[A-Z][a-z]+ \d{4}$/ })
      const row = month.getByRole('listitem').getByRole('button')
      await expect(row).toContainText(today)
      const inZone = { timeZone: zone, month: 'long', year: 'numeric' } as const
      await expect(month).toHaveAccessibleName(
        new Intl.DateTimeFormat('en-US', inZone).format(Date.now()),
      )
      await user.tap(row)
      await expect(month).toContainText(new RegExp(`${today} \\d\\d:\\d\\d:\\d\\d`))
    })

    test('greeting, recent searches and the shift have the shop’s time', async ({
      page,
      user,
      startSession,
      shop,
      api,
    }) => {
      const customer = await shop.customer('aurora')
      const { memberCode, mobile } = customer
      await givePoints('aurora', customer, 5000)
      const token = await startSession('aurora', await shop.clerk('aurora'))
      const hour = Number(timeIn(Date.now()).slice(0, 2))
      const part = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon'
      await page.goto('/aurora/index')
      await expect(page.getByRole('heading', { name: `Good ${part}` })).toBeVisible()

      await page.goto('/aurora/member/search/index')
      await page.getByRole('textbox', { name: 'Mobile' }).fill(mobile)
      await page.keyboard.press('Enter')
      await page.waitForURL(/member\/home/)
      const shown = [Date.now() - 60_000, Date.now(), Date.now() + 60_000].map(timeIn)
      await user.tap(page.getByRole('button', { name: 'Next customer' }).filter({ visible: true }))
      const recent = page.getByRole('region', { name: 'Recent' })
      await expect(recent.getByRole('listitem')).toContainText(new RegExp(shown.join('|')))

      const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 5000 }
      await api.data(redeemPoints, { memberCode, ...order }, { token })
      const spent = [Date.now() - 60_000, Date.now(), Date.now() + 60_000].map(timeIn)
      await page.goto('/aurora/shift')
      const row = page.getByRole('main').getByRole('listitem')
      await expect(row).toContainText(new RegExp(spent.join('|')))
    })
  })
}
