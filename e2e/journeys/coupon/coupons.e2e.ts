import { issueCouponByPoints } from '@tillside/contract/coupon'
import { birthday, couponsOf, couponTicket, sheet } from '../../support/portal/member-page.ts'
import { expect, rowTag, test as base, type Page } from '../../support/fixtures.ts'
import type { User } from '../../support/browser/count-steps.ts'
import { dropAnswer } from '../../support/browser/drop-answers.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import type { Customer } from '../../support/demo/shop.ts'
import { english } from '../../support/portal/catalogue.ts'

// The coupons' own page: see, redeem, undo, issue.

const house = 'House voucher, 10.00'

type Counter = { customer: Customer; token: string; codes: string[] }

/** The coupons page of a member with three coupons that can be used here and now. */
const test = base.extend<{ counter: Counter }>({
  counter: async ({ page, startSession, shop }, use) => {
    const customer = await shop.customer('aurora')
    const codes: string[] = []
    for (const id of ['BIRTHDAY', 'SATURDAY', 'HOUSE']) {
      codes.push(await shop.coupon('aurora', customer, id))
    }
    const token = await startSession('aurora')
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
const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const stub = (page: Page, name: string) =>
  couponTicket(page, name).getByRole('button', { name: `Redeem, ${name}` })

base(
  'a discount and an open end in the words of each language',
  async ({ page, startSession, shop }) => {
    const customer = await shop.customer('aurora')
    for (const id of ['SATURDAY', 'HOUSE']) await shop.coupon('aurora', customer, id)
    await startSession('aurora')
    for (const [language, half, open] of [
      ['zh-CN', '五折', '2024/01/01起，长期有效'],
      ['zh-HK', '半價', '2024/01/01起，無使用期限'],
      ['zh-TW', '5 折', '2024/01/01起，無使用期限'],
      ['en-US', '50% off', 'from 01/01/2024, no end date'],
    ] as const) {
      await page.goto(`/aurora/member/home/coupon?code=${customer.memberCode}&lang=${language}`)
      await expect(main(page).getByText(half, { exact: true })).toBeVisible()
      await expect(main(page).getByText(open, { exact: true })).toBeVisible()
    }
  },
)

test(
  'a coupon is used and moves to the redeemed ones; taken back, it can be used again',
  { tag: '@both' },
  async ({ page, user, api, counter: { customer, token } }) => {
    await expect(tab(page, 'Valid', 3)).toBeChecked()
    await expect(tab(page, 'Redeemed', 0)).toBeVisible()
    await expect(tab(page, 'Expired', 0)).toBeVisible()
    await user.tap(stub(page, birthday))
    await user.tap(
      dialog(page, english('rdm.q')).getByRole('button', {
        name: 'Redeem coupon',
        exact: true,
      }),
    )
    await user.tap(sheet(page).getByRole('button', { name: 'Done' }))
    await expect(sheet(page)).toHaveCount(0)
    await expect(couponTicket(page).locator('.stamp')).toBeVisible()
    await expect(stub(page, birthday)).toBeHidden()
    await expect(tab(page, 'Valid', 2)).toBeVisible()

    await user.tap(tab(page, 'Redeemed', 1))
    await expect(couponTicket(page).locator('.stamp')).toHaveText(
      /^Redeemed\d\d\/\d\d\/\d{4}Bryant Park$/,
    )
    await user.tap(couponTicket(page).getByRole('button', { name: birthday }))
    const undo = { name: 'Undo redemption' }
    await user.tap(dialog(page, 'Coupon details').getByRole('button', undo))
    const question = dialog(page, english('undo.q'))
    await expect(question).toContainText(`${birthday} can be used again by Ada Byron.`)
    // No reason is chosen for the clerk.
    await expect(question.getByRole('button', undo)).toBeDisabled()
    await user.tap(question.getByRole('radio', { name: english('undo.changed') }))
    await user.tap(question.getByRole('button', undo))
    await user.tap(dialog(page, 'Redemption undone').getByRole('button', { name: 'Done' }))
    await expect(page.getByText(english('cpn.emptyUsed'))).toBeVisible()
    await user.tap(tab(page, 'Valid', 3))
    await expect(stub(page, birthday)).toBeVisible()
    const coupons = await couponsOf(api, token, customer)
    expect(coupons.map(({ status }) => status)).toEqual(['ISSUED', 'ISSUED', 'ISSUED'])
  },
)

test('a code may be typed in small letters, with spaces, and with O for 0', async ({
  page,
  user,
  shop,
  counter: { customer },
}) => {
  let code = await shop.coupon('aurora', customer, 'HOUSE')
  for (let tries = 0; tries < 60 && !code.includes('0'); tries++) {
    code = await shop.coupon('aurora', customer, 'HOUSE')
  }
  expect(code).toContain('0')
  const written = (code.match(/.{1,4}/g) ?? []).join(' ').toLowerCase().replaceAll('0', 'o')
  const field = page.getByRole('textbox', { name: english('cpn.enterCode') })
  await field.fill(written)
  await user.tap(page.getByRole('button', { name: 'Find', exact: true }))
  const question = dialog(page, english('rdm.q'))
  await expect(question.getByRole('article', { name: house })).toBeVisible()
  const shown = (await question.getByRole('article').innerText()).replaceAll(/[^\dA-Z]/g, '')
  expect(shown).toContain(code)
})

test('a code that is missing or unknown is refused at the field, ready for the next', async ({
  page,
  user,
  counter: { codes },
}) => {
  const field = page.getByRole('textbox', { name: english('cpn.enterCode') })
  await user.tap(page.getByRole('button', { name: 'Find', exact: true }))
  await expect(field).toHaveAccessibleDescription(english('cpn.codeReq'))
  await expect(field).toBeFocused()
  await field.fill(codes.join('').slice(0, 11))
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription('There is no such coupon.')
  await expect(field).toBeFocused()
})

test(
  'several are ticked, used at once, and are redeemed all',
  { tag: '@both' },
  async ({ page, user, api, counter: { customer, token } }) => {
    await user.tap(page.getByRole('button', { name: 'Select several' }))
    await expect(page.getByText('0 selected')).toBeVisible()
    await user.tap(page.getByRole('checkbox', { name: birthday }))
    await user.tap(page.getByRole('checkbox', { name: house }))
    await expect(page.getByText('2 selected')).toBeVisible()
    const act = { name: 'Redeem 2 coupons', exact: true }
    await user.tap(page.getByRole('button', act))
    const question = dialog(page, 'Redeem 2 coupons?')
    await expect(question.getByRole('article').getByRole('heading')).toHaveText([birthday, house])
    await user.tap(question.getByRole('button', act))
    const done = dialog(page, '2 coupons redeemed')
    await expect(done.locator('.stamp')).toHaveCount(2)
    await user.tap(done.getByRole('button', { name: 'Done' }))

    await expect(tab(page, 'Valid', 1)).toBeVisible()
    await user.tap(tab(page, 'Redeemed', 2))
    const names = page.getByRole('main').getByRole('article').getByRole('heading')
    await expect(names.filter({ hasText: birthday })).toBeVisible()
    await expect(names.filter({ hasText: house })).toBeVisible()
    const coupons = await couponsOf(api, token, customer)
    expect(coupons.map(({ status }) => status).toSorted()).toEqual(['ISSUED', 'USED', 'USED'])
  },
)

/** The two ways to a coupon for points. */
const ways = {
  'from the coupons': async (page: Page, user: User, customer: Customer) => {
    await openCoupons(page, customer)
    await user.tap(page.getByRole('button', { name: 'Issue coupon', exact: true }))
    await user.tap(page.getByRole('dialog').getByRole('radio', { name: 'With points' }))
    return page.getByRole('dialog')
  },
  'from the points': async (page: Page, user: User, { memberCode }: Customer) => {
    await page.goto(`/aurora/member/home/point-redeem?code=${memberCode}`)
    await user.tap(page.getByRole('radio', { name: 'Coupons' }))
    return page.getByRole('main')
  },
} as const

const drink = 'Any handcrafted drink'
const issue = { name: 'Issue coupon', exact: true }
const toAda = 'Issue this coupon to Ada Byron?'

for (const [n, [way, openList]] of Object.entries(ways).entries()) {
  base(
    `a coupon that costs points, ${way}: what they will be, then what they are`,
    rowTag(n, 1),
    async ({ page, user, startSession, shop, api }) => {
      const customer = await shop.customer('aurora')
      await givePoints('aurora', customer, 5000)
      const token = await startSession('aurora')
      for (const [before, after] of [
        ['5,000', '3,800'],
        // At once a second time: another question, with the balance of now.
        ['3,800', '2,600'],
      ]) {
        const list = await openList(page, user, customer)
        await user.tap(list.getByRole('button', { name: drink }))
        const question = dialog(page, toAda)
        await expect(question.getByText(`${before} → ${after} points`)).toBeVisible()
        await user.tap(question.getByRole('button', issue))
        const done = dialog(page, english('iss.ok'))
        await expect(done.getByText(`${before} → ${after} points`)).toBeVisible()
        await user.tap(done.getByRole('button', { name: 'Done' }))
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      const coupons = await couponsOf(api, token, customer)
      expect(coupons.map(({ name }) => name)).toEqual([drink, drink])
    },
  )

  base(
    `with too few points the offer says how many are missing, ${way}`,
    rowTag(n, 1),
    async ({ page, user, startSession, shop }) => {
      const customer = await shop.customer('aurora')
      await givePoints('aurora', customer, 880)
      await startSession('aurora')
      const list = await openList(page, user, customer)
      const offer = list.getByRole('article', { name: drink })
      await expect(offer).toContainText('320 more points needed')
      await expect(offer.getByRole('button')).toHaveCount(0)
    },
  )

  base(
    `a purchase whose answer is lost is found again, ${way}, and paid once`,
    rowTag(n, 1),
    async ({ page, user, startSession, shop, api, browserErrors }) => {
      browserErrors.allow(/ERR_FAILED/)
      const customer = await shop.customer('aurora')
      await givePoints('aurora', customer, 5000)
      const token = await startSession('aurora')
      await page.route(`**${issueCouponByPoints.path}`, dropAnswer)
      const list = await openList(page, user, customer)
      await user.tap(list.getByRole('button', { name: drink }))
      await user.tap(dialog(page, toAda).getByRole('button', issue))
      await dialog(page, toAda).getByRole('button', { name: 'Check status' }).waitFor()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      // Until the result is known neither way offers it a second time.
      for (const open of Object.values(ways)) {
        const offers = await open(page, user, customer)
        const offer = offers.getByRole('article', { name: drink })
        await expect(offer).toContainText(english('ex.checkFirst'))
        await expect(offer.getByRole('button')).toHaveCount(0)
      }
      await openCoupons(page, customer)
      await user.tap(page.getByRole('button', { name: 'Check status' }))
      await expect(page.getByText('1,200 points were redeemed.')).toBeVisible()
      expect(await couponsOf(api, token, customer)).toHaveLength(1)
    },
  )
}
