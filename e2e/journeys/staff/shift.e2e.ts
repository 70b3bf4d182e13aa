import { redeemCoupon } from '@tillside/contract/coupon'
import { pointHistory, redeemPoints } from '@tillside/contract/points'
import { birthday, couponsOf } from '../../support/portal/member-page.ts'
import type { Locator } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { english } from '../../support/portal/catalogue.ts'

// The clerk's actions of today with their totals and undo, the whole store, notes and the print.

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
    const coupon = rows.filter({ hasText: new RegExp(`Coupon redeemed${maskedName}.*${birthday}`) })
    const gift = rows.filter({
      hasText: new RegExp(`Reward redeemed${maskedName} · House blend, 250 g · −1,800`),
    })
    const question = page.getByRole('dialog', { name: english('undo.q') })
    const done = page.getByRole('dialog', { name: english('undo.ok') })

    await user.tap(coupon.getByRole('button', { name: 'Undo' }))
    await expect(question).toContainText(
      new RegExp(`${birthday} can be used again by ${maskedName}\\.`),
    )
    await chooseReason(question)
    await user.tap(question.getByRole('button', { name: 'Undo redemption' }))
    await user.tap(done.getByRole('button', { name: 'Done' }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(rows.filter({ hasText: 'Coupon redeemed: undone' })).toBeVisible()
    await expect(coupon.getByRole('button')).toHaveCount(0)

    await user.tap(gift.getByRole('button', { name: 'Undo' }))
    await expect(question).toContainText(
      new RegExp(`House blend, 250 g: 1,800 points go back to ${maskedName}\\.`),
    )
    await chooseReason(question)
    await user.tap(question.getByRole('button', { name: 'Undo redemption' }))
    await user.tap(done.getByRole('button', { name: 'Done' }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const undone = rows.filter({ hasText: 'Reward redeemed: undone' })
    await expect(undone).toContainText('House blend, 250 g · +1,800')
    await expect(page.getByRole('main').getByRole('button', { name: /^Undo/ })).toHaveCount(0)

    // One of each kind, each undone.
    const totals = page.getByRole('table', { name: english('shift.totals') }).getByRole('row')
    await expect(totals.nth(1)).toHaveText('Coupons redeemed1 undone1')
    await expect(totals.nth(2)).toHaveText('Rewards1 undone10')
    await user.tap(page.getByRole('radio', { name: english('shift.gifts') }))
    await expect(rows).toHaveCount(2)
    await user.tap(page.getByRole('radio', { name: 'All' }))
    await expect(rows).toHaveCount(4)

    expect(await couponsOf(api, token, customer)).toMatchObject([{ status: 'ISSUED' }])
    const history = await api.data(pointHistory, { memberCode }, { token })
    expect(history.totals.balance).toBe(5000)
  },
)

/** A reason may have no default. */
async function chooseReason(question: Locator): Promise<void> {
  const first = question.getByRole('radio').first()
  if ((await first.count()) > 0 && !(await first.isChecked())) await first.check()
}

test('the whole store shows every clerk, to those with the permission', async ({
  page,
  user,
  startSession,
  shop,
  api,
}) => {
  const company = await shop.company('aurora', (definition) => ({
    ...definition,
    groups: [
      ...definition.groups,
      { code: 'counter', permissions: ['point', 'pointRedeem'], menus: ['member'] },
    ],
  }))
  const customer = await shop.customer(company)
  const { memberCode } = customer
  await givePoints(company, customer, 9000)
  const account = await shop.clerk(company, 'counter')
  const colleague = await shop.session(company, account)
  const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 9000 }
  await api.data(redeemPoints, { memberCode, ...order }, { token: colleague.token })

  await startSession(company, account)
  await page.goto(`/${company}/shift`)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('link', { name: english('shift.store') })).toHaveCount(0)
  await page.goto(`/${company}/shift/store`)
  await expect(page.getByRole('heading', { name: english('shift.storeTitle') })).toHaveCount(0)

  await page.goto('about:blank')
  const manager = await startSession(company, await shop.clerk(company))
  const again = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 7200 }
  await api.data(redeemPoints, { memberCode, ...again }, { token: manager })
  await page.goto(`/${company}/shift`)
  await user.tap(page.getByRole('link', { name: english('shift.store') }))
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  const total = page.getByRole('table').getByRole('row').nth(1)
  await expect(total).toHaveText('Rewards2−3,600')
  const clerks = page.getByRole('radiogroup', { name: english('shift.clerks') })
  await user.tap(clerks.getByRole('radio').nth(1))
  await expect(rows).toHaveCount(1)
  await expect(total).toHaveText('Rewards1−1,800')
})

test('a note waits for the next clerk until it is read, and is refused at its field', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const company = await shop.company('aurora')
  await startSession(company, await shop.clerk(company))
  await page.goto(`/${company}/shift`)
  await user.tap(page.getByRole('button', { name: english('note.leave') }))
  const form = page.getByRole('dialog', { name: english('note.new') })
  const field = form.getByRole('textbox')
  const send = form.getByRole('button', { name: english('note.leave') })
  for (const [text, refusal] of [
    ['x'.repeat(501), 'This is too long.'],
    ['pay \u202e001', 'Some characters can’t be used here.'],
    ['pay \u200f001', 'Some characters can’t be used here.'],
    ['ring \u0007', 'Some characters can’t be used here.'],
  ] as const) {
    await field.fill(text)
    await user.tap(send)
    await expect(form.getByRole('alert')).toHaveText(refusal)
    // The text is still there, and the error ends when it is changed.
    await expect(field).toHaveValue(text)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill(`${text}!`)
    await expect(form.getByRole('alert')).toHaveText('')
  }
  const note = 'Ice machine: repair at 15:00 👍🏽'
  await field.fill(`${note}\nKeys: drawer`)
  await user.tap(send)
  await expect(form).toHaveCount(0)
  const own = page.getByRole('button', { name: english('note.title') })
  await user.tap(own)
  await expect(page.getByText(english('note.unread'))).toBeVisible()

  await page.goto('about:blank')
  await startSession(company, await shop.clerk(company))
  await page.goto(`/${company}/index`)
  const notes = page.getByRole('region', { name: english('note.title') })
  await expect(notes).toContainText(`${note}\nKeys: drawer`)
  await user.tap(notes.getByRole('button', { name: english('note.read') }))
  await expect(notes).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(notes).toHaveCount(0)
})

test('the end of a shift is printed without buttons', async ({ page, startSession, shop, api }) => {
  const customer = await shop.customer('aurora')
  const { memberCode } = customer
  await givePoints('aurora', customer, 5000)
  const token = await startSession('aurora', await shop.clerk('aurora'))
  const order = { kind: 'gift', giftId: 'G-BEANS', quantity: 1, expectedBalance: 5000 }
  await api.data(redeemPoints, { memberCode, ...order }, { token })
  await page.goto('/aurora/shift')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Aurora Coffee', { exact: true })).toBeVisible()
  await expect(page.getByText(english('shift.signature'))).toBeVisible()
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('banner')).toBeHidden()
})
