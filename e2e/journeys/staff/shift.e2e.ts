import { redeemCoupon } from '@tillside/contract/coupon'
import { pointHistory, redeemPoints } from '@tillside/contract/points'
import { birthday, couponsOf } from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { english } from '../../support/portal/catalogue.ts'

// The clerk's redemptions of today, and their undo.

/** The masked name: customers can see the screen. */
const maskedName = String.raw`A\S{3}n`

test(
  'the shift lists each redemption, and each can be undone',
  { tag: '@both' },
  async ({ page, user, startSession, shop, api }) => {
    const customer = await shop.customer('aurora')
    const { memberCode } = customer
    await givePoints('aurora', customer, 5000)
    const couponCode = await shop.coupon('aurora', customer)
    const token = await startSession('aurora', await shop.clerk('aurora'))
    await page.goto('/aurora/shift')
    await expect(page.getByText(english('shift.empty'))).toBeVisible()

    const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 5000 }
    await api.data(redeemPoints, { memberCode, ...order }, { token })
    await api.data(redeemCoupon, { memberCode, couponCode }, { token })
    await page.reload()
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows).toHaveCount(2)
    const coupon = rows.filter({
      hasText: new RegExp(`Coupon redeemed${maskedName} · ${birthday}`),
    })
    const points = rows.filter({ hasText: new RegExp(`Points redeemed${maskedName} · −1,800`) })
    const question = page.getByRole('dialog', { name: english('undo.q') })
    const done = page.getByRole('dialog', { name: 'Redemption undone' })

    await user.tap(coupon.getByRole('button', { name: 'Undo' }))
    await expect(question).toContainText(
      new RegExp(`${birthday} can be used again by ${maskedName}\\.`),
    )
    await user.tap(question.getByRole('button', { name: 'Undo redemption' }))
    await user.tap(done.getByRole('button', { name: 'Done' }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(rows.filter({ hasText: english('shift.couponUndone') })).toBeVisible()
    await expect(coupon.getByRole('button')).toHaveCount(0)

    await user.tap(points.getByRole('button', { name: 'Undo' }))
    await expect(question).toContainText(new RegExp(`1,800 points go back to ${maskedName}\\.`))
    await user.tap(question.getByRole('button', { name: 'Undo redemption' }))
    await user.tap(done.getByRole('button', { name: 'Done' }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(rows.filter({ hasText: english('shift.pointsUndone') })).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: /^Undo/ })).toHaveCount(0)

    expect(await couponsOf(api, token, customer)).toMatchObject([{ status: 'ISSUED' }])
    const { totals } = await api.data(pointHistory, { memberCode }, { token })
    expect(totals.balance).toBe(5000)
  },
)
