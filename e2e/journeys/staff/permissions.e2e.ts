import { type Permission, permissions } from '@tillside/contract/wire/permissions'
import { addSales } from '../../support/demo/sales.ts'
import type { Customer, Shop } from '../../support/demo/shop.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { expect, type Page, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// Opens every screen of a member as a clerk with all permissions but one. The short form plays some
// permissions; the long form plays all.
const isLong = process.env['E2E_FORM'] === 'long'
const short: readonly Permission[] = ['homeMembertier', 'couponView']
const played = isLong ? permissions : short

/** What the screens show of each permission, as role and name in the accessibility tree. */
const facts: Record<Permission, RegExp> = {
  homeMembertier: /Zirconia/,
  coupon: /Coupons to use|article "Birthday treat/,
  // The sale adds a few points to 7,650.
  point: /7,65\d/,
  transaction: /POS-4711|Last purchase/,
  userInfo: /Edit profile|link "Profile"/,
  homeIssuecoupon: /(?:link|button) "Issue coupon"|"Free"/,
  couponRedeem: /button "Redeem, /,
  couponView: /Coupon details/,
  register: /Register/,
  pointRedeem: /Rewards/,
  pointExchange: /Against this sale/,
  scanQrCode: /button "Scan/,
  homeMemberSearchByName: /A name works too/,
  storeShift: /link "Whole store"/,
}

let company = ''
let customer: Customer
test.beforeAll(async ({ shop }) => {
  ;({ company, customer } = await open(shop))
})

async function open(shop: Shop) {
  const made = await shop.company('aurora', (definition) => ({
    ...definition,
    tiers: definition.tiers.map((tier) => ({ ...tier, names: { 'en-US': 'Zirconia' } })),
    groups: [
      ...definition.groups,
      { code: 'all', permissions: [...permissions], menus: ['member'] },
      ...permissions.flatMap((one) => [
        {
          code: `but-${one}`,
          permissions: permissions.filter((other) => other !== one),
          menus: ['member'],
        },
        { code: `only-${one}`, permissions: [one], menus: ['member'] },
      ]),
    ],
  }))
  const somebody = await shop.customer(made)
  await shop.coupon(made, somebody)
  await shop.coupon(made, somebody, 'HOUSE')
  await givePoints(made, somebody, 7650)
  const sale = { lines: [['TEA', '0.50', 1]] as const, changes: { invoiceNumber: 'POS-4711' } }
  await addSales(made, somebody, [sale])
  return { company: made, customer: somebody }
}

/** Opens every screen that this clerk has. @returns the accessibility trees of all */
async function crawl(page: Page): Promise<string> {
  const seen: string[] = []
  const see = async () => {
    await page.waitForLoadState('networkidle')
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    seen.push(await page.locator('body').ariaSnapshot())
  }
  await page.goto(`/${company}/member/search/index`)
  await page.getByRole('textbox', { name: english('search.mobile') }).waitFor()
  await see()
  await page.getByRole('textbox', { name: english('search.mobile') }).fill(customer.mobile)
  await page.getByRole('button', { name: english('search.open') }).waitFor()
  await see()
  await page.goto(`/${company}/member/home/view?code=${customer.memberCode}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await see()
  for (const tab of ['userinfo', 'transaction', 'point', 'point-redeem', 'coupon']) {
    await page.goto(`/${company}/member/home/${tab}?code=${customer.memberCode}`)
    await see()
    // The radios of the profile are its fields; all others choose what is shown.
    if (tab === 'userinfo') continue
    for (const radio of await page.getByRole('main').getByRole('radio').all()) {
      await radio.check()
      await see()
    }
  }
  await page.goto(`/${company}/member/home/coupon?code=${customer.memberCode}`)
  await see()
  const ticket = page.getByRole('main').getByRole('article').first().getByRole('heading')
  const opens = ticket.getByRole('button')
  if ((await opens.count()) > 0) {
    await opens.click()
    await page.getByRole('dialog').waitFor()
    await see()
  }
  await page.goto(`/${company}/shift`)
  await see()
  return seen.join('\n')
}

test('a clerk with all permissions sees each fact', async ({ page, startSession, shop }) => {
  await startSession(company, await shop.clerk(company, 'all'))
  const seen = await crawl(page)
  expect(permissions.filter((one) => !facts[one].test(seen))).toEqual([])
})

for (const permission of played) {
  test(`without ${permission} no screen has its facts`, async ({ page, startSession, shop }) => {
    await startSession(company, await shop.clerk(company, `but-${permission}`))
    expect(facts[permission].exec(await crawl(page))?.[0]).toBeUndefined()
  })
}

// Each of these has an effect without the others.
const alone = {
  coupon: (page: Page) => page.getByRole('article', { name: 'Birthday treat' }),
  couponView: (page: Page) => page.getByRole('textbox', { name: english('cpn.enterCode') }),
  couponRedeem: (page: Page) => page.getByRole('textbox', { name: english('cpn.enterCode') }),
  homeIssuecoupon: (page: Page) => page.getByRole('button', { name: english('cpn.issue') }),
}
for (const [permission, effect] of Object.entries(alone)) {
  test(`${permission} alone has its page`, async ({ page, startSession, shop }) => {
    await startSession(company, await shop.clerk(company, `only-${permission}`))
    await page.goto(`/${company}/member/home/coupon?code=${customer.memberCode}`)
    await expect(effect(page).filter({ visible: true }).first()).toBeVisible()
    const seen = await page.locator('body').ariaSnapshot()
    const others = permissions.filter((one) => one !== permission && facts[one].test(seen))
    expect(others).toEqual([])
  })
}

test('no overview is empty: a page without a block there has a link', async ({
  page,
  startSession,
  shop,
}) => {
  const links = {
    couponView: english('nav.coupons'),
    couponRedeem: english('nav.coupons'),
    pointRedeem: english('nav.redeem'),
    pointExchange: english('nav.redeem'),
  }
  for (const [permission, name] of Object.entries(links)) {
    // An open page of the portal would load again for the new session.
    await page.goto('about:blank')
    await startSession(company, await shop.clerk(company, `only-${permission}`))
    await page.goto(`/${company}/member/home/view?code=${customer.memberCode}`)
    // One is the tab, the other is on the page.
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toHaveCount(2)
  }
})

test('a coupon’s code is enough to see it and to redeem it', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const code = await shop.coupon(company, customer)
  await startSession(company, await shop.clerk(company, 'only-couponRedeem'))
  await page.goto(`/${company}/member/home/coupon?code=${customer.memberCode}`)
  await user.tap(page.getByRole('textbox', { name: english('cpn.enterCode') }))
  await user.type(code)
  await page.keyboard.press('Enter')
  await user.tap(page.getByRole('dialog').getByRole('button', { name: english('rdm.do') }))
  await expect(page.getByRole('dialog')).toHaveAccessibleName(english('rdm.ok'))
  expect(await page.getByRole('dialog').ariaSnapshot()).not.toContain('Zirconia')
})
