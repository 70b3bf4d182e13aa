import { redeemCoupon } from '@tillside/contract/coupon'
import {
  birthday,
  couponsOf,
  couponTicket,
  listenForRedeems,
  openMember,
  sheet,
} from '../../support/portal/member-page.ts'
import { expect, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The product's main job: a customer shows up, is found, and uses a coupon.

const words = {
  'en-US': {
    company: 'aurora',
    name: { firstName: 'Ada', lastName: 'Byron' },
    masked: 'A•••n',
    full: 'Ada Byron',
    mobile: 'Mobile',
    coupon: birthday,
    redeem: 'Redeem',
    question: english('rdm.q'),
    confirm: 'Redeem coupon',
    success: english('rdm.ok'),
    stamp: /^Redeemed\d\d\/\d\d\/\d{4}Bryant Park$/,
    done: 'Done',
    none: english('home.noCoupons'),
  },
  'zh-HK': {
    company: 'harbour',
    name: { firstName: '小敏', lastName: '陳' },
    masked: '陳•敏',
    full: '陳小敏',
    mobile: '手機號碼',
    coupon: '生日禮遇：任選糕點一件',
    redeem: '使用',
    question: '使用此優惠券？',
    confirm: '使用優惠券',
    success: '優惠券已成功使用',
    stamp: /^已使用\d{4}\/\d\d\/\d\d尖沙咀店$/,
    done: '完成',
    none: '暫無可使用的優惠券',
  },
} as const

for (const [language, w] of Object.entries(words)) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language })

    test('find by mobile, redeem, and it stays used', async ({
      page,
      user,
      startSession,
      shop,
      api,
    }) => {
      const customer = await shop.customer(w.company, w.name)
      await shop.coupon(w.company, customer)
      const token = await startSession(w.company)

      await page.goto(`/${w.company}/member/search/index`)
      const field = page.getByRole('textbox', { name: w.mobile })
      await expect(field).toBeFocused()
      await user.type(customer.mobile)
      // The peek shows who it is before anybody is opened, fit for the customer's side.
      const peek = page.getByRole('main').getByRole('button', { name: w.masked })
      await expect(peek).toBeVisible()
      await expect(page.getByText(w.full)).toBeHidden()
      await user.tap(peek)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(w.full)
      // At most one tap and the digits of the number.
      expect(user.countSteps()).toEqual({ taps: 1, keys: customer.mobile.length })

      const ticket = couponTicket(page, w.coupon)
      await user.tap(ticket.getByRole('button', { name: w.redeem }))
      await expect(sheet(page)).toHaveAccessibleName(w.question)
      await expect(sheet(page)).toContainText(w.full)
      await expect(sheet(page).getByRole('heading', { name: w.question })).toBeFocused()
      await user.tap(sheet(page).getByRole('button', { name: w.confirm, exact: true }))

      await expect(sheet(page)).toHaveAccessibleName(w.success)
      const torn = sheet(page).getByRole('article', { name: w.coupon })
      await expect(torn.locator('.ticket-used')).toBeVisible()
      await expect(torn.locator('.stamp')).toHaveText(w.stamp)
      // J2 with the member open: two taps.
      expect(user.countSteps()).toEqual({ taps: 2, keys: 0 })
      await user.tap(sheet(page).getByRole('button', { name: w.done }))
      await expect(sheet(page)).toBeHidden()

      await expect(page.getByText(w.none)).toBeVisible()
      await page.reload()
      await expect(page.getByText(w.none)).toBeVisible()
      const [coupon] = await couponsOf(api, token, customer)
      expect(coupon).toMatchObject({ status: 'USED', redeemable: false })
    })
  })
}

test(
  'the coupons that end first are shown, and the next moves up',
  { tag: '@both' },
  async ({ page, user, startSession, shop }) => {
    const customer = await shop.customer('aurora')
    for (const id of ['HOUSE', 'WELCOME', 'SATURDAY', 'BIRTHDAY']) {
      await shop.coupon('aurora', customer, id)
    }
    await startSession('aurora')
    await openMember(page, 'aurora', customer.memberCode)
    const names = page.getByRole('main').getByRole('article').getByRole('heading')
    const [first, second, third, fourth] = [
      birthday,
      'Member Saturday, second drink half price',
      'Welcome, 3.00 off',
      'House voucher, 10.00',
    ]
    await expect(names).toHaveText([first, second, third])
    await user.tap(couponTicket(page).getByRole('button'))
    await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon' }))
    await user.tap(sheet(page).getByRole('button', { name: 'Done' }))
    await expect(names).toHaveText([first, second, third, fourth])
    const trace = page.getByRole('region', { name: 'Redeemed just now' })
    await expect(trace.getByRole('article', { name: first })).toContainText(/\d\d:\d\d/)
    await expect(trace.getByRole('button', { name: 'Undo' })).toBeVisible()
    // The trace stays on every page of the member, until the next customer.
    await user.tap(page.getByRole('navigation').getByRole('link', { name: 'Coupons' }))
    await expect(trace.getByRole('article', { name: first })).toBeVisible()
    await user.tap(page.getByRole('button', { name: 'Next customer' }).filter({ visible: true }))
    await openMember(page, 'aurora', customer.memberCode)
    await expect(names).toHaveText([second, third, fourth])
    await expect(trace).toHaveCount(0)
  },
)

test(
  'cancelling leaves everything as it was',
  { tag: '@both' },
  async ({ page, user, startSession, shop, api }) => {
    const customer = await shop.customer('aurora')
    await shop.coupon('aurora', customer)
    const token = await startSession('aurora')
    const sent = listenForRedeems(page)
    await openMember(page, 'aurora', customer.memberCode)
    const stub = couponTicket(page).getByRole('button')
    for (const leave of ['Cancel', 'Escape']) {
      await user.tap(stub)
      await expect(sheet(page)).toBeVisible()
      if (leave === 'Escape') await page.keyboard.press('Escape')
      else await user.tap(sheet(page).getByRole('button', { name: leave }))
      await expect(sheet(page)).toBeHidden()
      await expect(stub).toBeFocused()
    }
    expect(sent).toEqual([])
    expect(await couponsOf(api, token, customer)).toMatchObject([{ status: 'ISSUED' }])
  },
)

test('an undone coupon can be redeemed again at once, while its sheet is closing', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  const press = (name: string) => sheet(page).getByRole('button', { name, exact: true }).click()
  await couponTicket(page).getByRole('button').click()
  await press('Redeem coupon')
  await press('Undo')
  await sheet(page).getByRole('radio').first().check()
  await press('Undo redemption')
  await press('Done')
  await couponTicket(page).getByRole('button').click()
  await press('Redeem coupon')
  await expect(sheet(page)).toHaveAccessibleName('Coupon redeemed successfully')
})

test('another till used it meanwhile: the sheet says so, and then only closes', async ({
  page,
  user,
  startSession,
  shop,
  api,
}) => {
  const customer = await shop.customer('aurora')
  const couponCode = await shop.coupon('aurora', customer)
  const token = await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await user.tap(couponTicket(page).getByRole('button'))
  const { memberCode } = customer
  await api.data(redeemCoupon, { memberCode, couponCode }, { token })
  await user.tap(sheet(page).getByRole('button', { name: 'Redeem coupon' }))

  await expect(sheet(page).getByRole('alert')).toHaveText('This coupon has already been redeemed.')
  await expect(sheet(page).getByRole('button')).toHaveText(['Close'])
  // One refusal, one message: no toast repeats it.
  await expect(page.getByText('This coupon has already been redeemed.')).toHaveCount(1)
  await user.tap(sheet(page).getByRole('button', { name: 'Close' }))
  await expect(page.getByText(english('home.noCoupons'))).toBeVisible()
})

test('a clerk who may only view finds no button on a ticket', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora', 'ben')
  await openMember(page, 'aurora', customer.memberCode)
  await expect(couponTicket(page)).toBeVisible()
  await expect(couponTicket(page).getByRole('button')).toHaveCount(0)
})

test('a coupon that begins later, or belongs to another store, says so instead', async ({
  page,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer, 'COMEBACK')
  await shop.coupon('aurora', customer, 'BROOKLYN', 'NY002')
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  const later = couponTicket(page, 'Come back soon, 15% off')
  await expect(later).toContainText(/Starts \d\d\/\d\d\/\d{4}/)
  const elsewhere = couponTicket(page, 'Brooklyn roastery tour, 5.00 off')
  await expect(elsewhere).toContainText(english('cpn.otherStore'))
  await expect(page.getByRole('main').getByRole('article').getByRole('button')).toHaveCount(0)
})
