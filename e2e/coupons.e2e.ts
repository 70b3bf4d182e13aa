import { birthday, couponsOf, couponTicket, sheet } from './counter.ts'
import { expect, test as base, type Page } from './fixtures.ts'
import { givePoints } from './purse.ts'
import type { Customer } from './shop.ts'

// The coupons' own page: to see, to use, to take back, to give.

const house = 'House voucher, 10.00'

type Counter = { customer: Customer; token: string; codes: string[] }

/** The coupons of somebody who has three that can be used here and now. */
const test = base.extend<{ counter: Counter }>({
  counter: async ({ page, enter, shop }, use) => {
    const customer = await shop.customer('aurora')
    const codes: string[] = []
    for (const id of ['BIRTHDAY', 'SATURDAY', 'HOUSE']) {
      codes.push(await shop.coupon('aurora', customer, id))
    }
    const token = await enter('aurora')
    await openCoupons(page, customer)
    await use({ customer, token, codes })
  },
})

async function openCoupons(page: Page, { memberCode }: Customer): Promise<void> {
  await page.goto(`/aurora/member/home/coupon?code=${memberCode}`)
  await page.getByRole('radio', { name: 'Valid' }).waitFor()
}

const tab = (page: Page, name: string, count: number) =>
  page.getByRole('radio', { name: new RegExp(`^${name} ?${count}$`) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const stub = (page: Page, name: string) =>
  couponTicket(page, name).getByRole('button', { name: `Redeem, ${name}` })

test('a coupon is used and moves to the redeemed ones; taken back, it can be used again', async ({
  page,
  hand,
  api,
  counter: { customer, token },
}) => {
  await expect(tab(page, 'Valid', 3)).toBeChecked()
  await expect(tab(page, 'Redeemed', 0)).toBeVisible()
  await expect(tab(page, 'Expired', 0)).toBeVisible()
  await hand.tap(stub(page, birthday))
  await hand.tap(
    dialog(page, 'Redeem this coupon?').getByRole('button', { name: 'Redeem coupon', exact: true }),
  )
  // It closes by itself.
  await expect(sheet(page)).toHaveCount(0)
  await expect(couponTicket(page)).toBeHidden()
  await expect(tab(page, 'Valid', 2)).toBeVisible()

  await hand.tap(tab(page, 'Redeemed', 1))
  await expect(couponTicket(page).locator('.stamp')).toHaveText(
    /^Redeemed\d\d\/\d\d\/\d{4}Bryant Park$/,
  )
  await hand.tap(couponTicket(page).getByRole('button', { name: birthday }))
  const undo = { name: 'Undo redemption' }
  await hand.tap(dialog(page, 'Coupon details').getByRole('button', undo))
  const question = dialog(page, 'Undo this redemption?')
  await expect(question).toContainText(`${birthday} can be used again by Ada Byron.`)
  await hand.tap(question.getByRole('button', undo))
  await hand.tap(dialog(page, 'Redemption undone').getByRole('button', { name: 'Done' }))
  await expect(page.getByText('No redeemed coupons')).toBeVisible()
  await hand.tap(tab(page, 'Valid', 3))
  await expect(stub(page, birthday)).toBeVisible()
  const coupons = await couponsOf(api, token, customer)
  expect(coupons.map(({ status }) => status)).toEqual(['ISSUED', 'ISSUED', 'ISSUED'])
})

test('a code is understood as a hand writes it: small letters, spaces, O for 0', async ({
  page,
  hand,
  shop,
  counter: { customer },
}) => {
  let code = await shop.coupon('aurora', customer, 'HOUSE')
  for (let tries = 0; tries < 60 && !code.includes('0'); tries++) {
    code = await shop.coupon('aurora', customer, 'HOUSE')
  }
  expect(code).toContain('0')
  const written = (code.match(/.{1,4}/g) ?? []).join(' ').toLowerCase().replaceAll('0', 'o')
  const field = page.getByRole('textbox', { name: 'Scan or enter a coupon code' })
  await field.fill(written)
  await hand.tap(page.getByRole('button', { name: 'Find', exact: true }))
  const question = dialog(page, 'Redeem this coupon?')
  await expect(question.getByRole('article', { name: house })).toBeVisible()
  const shown = (await question.getByRole('article').innerText()).replaceAll(/[^\dA-Z]/g, '')
  expect(shown).toContain(code)
})

test('a code that is missing or unknown is refused at the field, ready for the next', async ({
  page,
  hand,
  counter: { codes },
}) => {
  const field = page.getByRole('textbox', { name: 'Scan or enter a coupon code' })
  await hand.tap(page.getByRole('button', { name: 'Find', exact: true }))
  await expect(field).toHaveAccessibleDescription('Please enter the coupon code')
  await expect(field).toBeFocused()
  await field.fill(codes.join('').slice(0, 11))
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription('There is no such coupon.')
  await expect(field).toBeFocused()
})

test('several are ticked, used at once, and are redeemed all', async ({
  page,
  hand,
  api,
  counter: { customer, token },
}) => {
  await hand.tap(page.getByRole('button', { name: 'Select several' }))
  await expect(page.getByText('0 selected')).toBeVisible()
  await hand.tap(page.getByRole('checkbox', { name: birthday }))
  await hand.tap(page.getByRole('checkbox', { name: house }))
  await expect(page.getByText('2 selected')).toBeVisible()
  const act = { name: 'Redeem 2 coupons', exact: true }
  await hand.tap(page.getByRole('button', act))
  const question = dialog(page, 'Redeem 2 coupons?')
  await expect(question.getByRole('article').getByRole('heading')).toHaveText([birthday, house])
  await hand.tap(question.getByRole('button', act))
  const done = dialog(page, '2 coupons redeemed')
  await expect(done.locator('.stamp')).toHaveCount(2)
  await hand.tap(done.getByRole('button', { name: 'Done' }))

  await expect(tab(page, 'Valid', 1)).toBeVisible()
  await hand.tap(tab(page, 'Redeemed', 2))
  const names = page.getByRole('main').getByRole('article').getByRole('heading')
  await expect(names.filter({ hasText: birthday })).toBeVisible()
  await expect(names.filter({ hasText: house })).toBeVisible()
  const coupons = await couponsOf(api, token, customer)
  expect(coupons.map(({ status }) => status).toSorted()).toEqual(['ISSUED', 'USED', 'USED'])
})

test('a coupon is given in three taps and stands in the list', async ({
  page,
  hand,
  counter: _counter,
}) => {
  hand.effort()
  const issue = { name: 'Issue coupon', exact: true }
  const tote = 'Autumn tote, complimentary'
  await hand.tap(page.getByRole('button', issue))
  await hand.tap(dialog(page, 'Issue coupon').getByRole('button', { name: tote }))
  await hand.tap(dialog(page, 'Issue this coupon to Ada Byron?').getByRole('button', issue))
  const done = dialog(page, 'Coupon issued successfully')
  await expect(done.getByRole('article', { name: tote })).toBeVisible()
  // ux.md, section 4, J6.
  expect(hand.effort()).toEqual({ taps: 3, keys: 0 })
  await hand.tap(done.getByRole('button', { name: 'Done' }))
  await expect(tab(page, 'Valid', 4)).toBeChecked()
  await expect(stub(page, tote)).toBeVisible()
})

base(
  'a coupon that costs points: what they will be, then what they are',
  async ({ page, hand, enter, shop }) => {
    const customer = await shop.customer('aurora')
    await givePoints('aurora', customer, 5000)
    await enter('aurora')
    await openCoupons(page, customer)
    const issue = { name: 'Issue coupon', exact: true }
    const drink = 'Any handcrafted drink'
    await hand.tap(page.getByRole('button', issue))
    await hand.tap(page.getByRole('dialog').getByRole('radio', { name: 'With points' }))
    await hand.tap(page.getByRole('dialog').getByRole('button', { name: drink }))
    const question = dialog(page, 'Issue this coupon to Ada Byron?')
    await expect(question.getByText('5,000 → 3,800 points')).toBeVisible()
    await hand.tap(question.getByRole('button', issue))
    const done = dialog(page, 'Coupon issued successfully')
    await expect(done.getByText('5,000 → 3,800 points')).toBeVisible()
    await hand.tap(done.getByRole('button', { name: 'Done' }))
    await expect(stub(page, drink)).toBeVisible()
  },
)
