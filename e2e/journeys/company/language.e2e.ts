import { getPermission } from '@tillside/contract/company'
import { type Language, languages } from '@tillside/contract/wire/language'
import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, test, type Page, rowTag } from '../../support/fixtures.ts'
import type { User } from '../../support/browser/count-steps.ts'
import { englishTextsOn } from '../../support/judges/language.ts'
import { english, textsIn, visibleTextsOn } from '../../support/portal/catalogue.ts'

// Four languages, and the change between them at work.

const own = {
  'en-US': 'English',
  'zh-CN': '简体中文',
  'zh-HK': '繁體中文（香港）',
  'zh-TW': '繁體中文（台灣）',
} as const

async function choose(page: Page, user: User, language: keyof typeof own): Promise<void> {
  await user.tap(page.locator('button[aria-haspopup=menu]'))
  await user.tap(page.getByRole('menuitemradio', { name: own[language], exact: true }))
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

test(
  'changes at once, keeps the typed text, and is remembered',
  { tag: '@both' },
  async ({ page, context, user }) => {
    await page.goto('/aurora/login')
    await page.getByLabel('Account').fill('amy')
    await page.getByLabel('Password', { exact: true }).fill('half a pass')
    // At most two taps.
    await choose(page, user, 'zh-HK')
    expect(user.countSteps()).toEqual({ taps: 2, keys: 0 })
    await expect(page.getByLabel('帳戶名稱')).toHaveValue('amy')
    await expect(page.getByLabel('密碼', { exact: true })).toHaveValue('half a pass')
    await expect(page).toHaveTitle('極光咖啡櫃位')
    expect(await context.cookies()).toMatchObject([{ name: 'tillside-language', value: 'zh-HK' }])
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
    await expect(page.getByRole('button', { name: '登入', exact: true })).toBeVisible()
  },
)

test('changes in the middle of a search, and the server stores it', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const clerk = await shop.clerk('aurora')
  await startSession('aurora', clerk)
  await page.goto('/aurora/member/search/index')
  await page.getByRole('textbox', { name: 'Mobile' }).fill('2015550123')
  const told = page.waitForResponse('**/setting/language')
  const menus = page.waitForResponse(`**${getPermission.path}`)
  await choose(page, user, 'zh-TW')
  expect(await (await told).json()).toMatchObject({ code: 0 })
  await menus
  await expect(page.getByRole('textbox', { name: '手機號碼' })).toHaveValue('(201) 555-0123')
  await user.tap(page.getByRole('link', { name: '極光咖啡' }))
  await expect(page.getByRole('link', { name: '會員' })).toBeVisible()
})

test('is taken back when the server refuses it', async ({
  page,
  user,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/500/)
  await startSession('aurora')
  await page.goto('/aurora/index')
  await page.route('**/setting/language', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await user.tap(page.getByRole('button', { name: 'Settings' }))
  await user.tap(page.getByRole('menuitemradio', { name: own['zh-CN'] }))
  await expect(page.getByText(english('set.langFailed'))).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
})

test('is offered only where the company has it', async ({ page, user }) => {
  await page.goto('/lotus/login')
  await user.tap(page.locator('button[aria-haspopup=menu]'))
  await expect(page.getByRole('menuitemradio')).toHaveText(['简体中文', 'English'])
})

/** Latin words that belong on a Chinese screen: names of people, places and languages. */
const names = new Set(
  'Tillside English northwind amy Amy Hart Grace Lee AUR10001 NY001 Bryant Park'.split(' '),
)

const latinWords = (piece: string): string[] => piece.match(/[A-Za-z][A-Za-z0-9]{2,}/g) ?? []
const couponCode = /^[0-9A-Z]{4}(?: [0-9A-Z]{1,4})+$/

const inShortRun = new Set<Language>(['en-US', 'zh-HK'])

for (const language of languages) {
  test.describe(`every screen speaks ${language}`, () => {
    test.use({ locale: language })
    const words = textsIn(language)
    const word = (id: string): string => words.get(id) ?? `no text ${id}`

    async function expectNoOther(page: Page, screen: string): Promise<void> {
      if (language === 'en-US') return
      const pieces = await visibleTextsOn(page)
      const latin = pieces.filter(
        (piece) => !couponCode.test(piece) && latinWords(piece).some((found) => !names.has(found)),
      )
      const left = [...(await englishTextsOn(page, language)), ...latin]
      expect(left, `English on ${screen}`).toEqual([])
    }

    test(
      'from the identifier to the torn ticket',
      rowTag(inShortRun.has(language) ? 0 : 1, 1),
      async ({ page, user, startSession, shop }) => {
        await page.goto('/identifier-set')
        await expect(page.getByLabel(word('idn.label'))).toBeVisible()
        await expectNoOther(page, 'identifier-set')

        await page.goto('/aurora/login')
        await page.getByRole('button', { name: word('login.submit'), exact: true }).click()
        await expect(page.getByText(word('login.accountReq'))).toBeVisible()
        await expectNoOther(page, 'login')

        await page.goto('about:blank')
        await startSession('aurora')
        await page.goto('/aurora/index')
        await page.getByRole('main').getByRole('link').first().waitFor()
        await expectNoOther(page, 'modules')
        await user.tap(page.getByRole('button', { name: word('set.open') }))
        await expect(page.getByRole('menuitem', { name: word('set.logout') })).toBeVisible()
        await expectNoOther(page, 'settings')
        await page.keyboard.press('Escape')

        await page.goto('/aurora/member/search/index')
        await page.getByRole('textbox', { name: word('search.mobile') }).fill('2015550123')
        await expect(page.getByText(word('search.open'))).toBeVisible()
        await expectNoOther(page, 'search')
        await page.getByRole('textbox', { name: word('search.mobile') }).fill('2125559999')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('heading', { name: word('search.none') })).toBeVisible()
        await expectNoOther(page, 'nobody found')

        await openMember(page, 'aurora', 'AUR10001')
        await expect(page.getByText(word('home.lastTx'))).toBeVisible()
        await expect(page.getByRole('article').first()).toBeVisible()
        await expectNoOther(page, 'the member')

        await page.goto('/aurora/nowhere')
        await expect(page.getByRole('heading', { name: word('e404.title') })).toBeVisible()

        const customer = await shop.customer('aurora', { firstName: '小敏', lastName: '陳' })
        await shop.coupon('aurora', customer)
        await openMember(page, 'aurora', customer.memberCode)
        await user.tap(couponTicket(page, '').getByRole('button'))
        await expect(sheet(page)).toHaveAccessibleName(word('rdm.q'))
        await user.tap(sheet(page).getByRole('button', { name: word('rdm.do'), exact: true }))
        await expect(sheet(page)).toHaveAccessibleName(word('rdm.ok'))
        await expect(sheet(page).locator('.stamp')).toContainText(word('rdm.stamp'))
      },
    )
  })
}
