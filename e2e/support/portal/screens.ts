import type { Page } from '@playwright/test'

/** A screen of the portal in one of its states, reached with the demo's own people only. */
export type Screen = {
  name: string
  company: string
  /** The account of the session; null for none. */
  account: string | null
  path: string
  /** Leads to the state and waits until it is complete. */
  shows: (page: Page, words: Words) => Promise<unknown>
}

/** The portal's texts by id, in the language of the page. */
export type Words = ReadonlyMap<string, string>

const member = (tab: string, code = 'AUR10001') => `/aurora/member/home/${tab}?code=${code}`

/** A text of the portal up to its first placeholder. */
const text = (words: Words, id: string) => {
  const found = words.get(id)
  if (found === undefined) throw new Error(`there is no text ${id}`)
  return found.split('{')[0] ?? ''
}

const heading = (page: Page) => page.getByRole('heading').first().waitFor()
const button = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()
const sheet = (page: Page) => page.getByRole('dialog')
const main = (page: Page) => page.getByRole('main')

const at = (
  name: string,
  path: string,
  shows: Screen['shows'] = heading,
  account: string | null = 'amy',
): Screen => ({ name, company: path.split('/')[1] ?? '', account, path, shows })

async function overview(page: Page, words: Words): Promise<void> {
  await page.getByText(text(words, 'home.lastTx')).waitFor()
  await main(page).getByRole('article').nth(2).waitFor()
}

async function noTransaction(page: Page, words: Words): Promise<void> {
  await main(page).getByRole('listitem').first().waitFor()
  await page.getByRole('searchbox').fill('nowhere')
  await page.getByText(text(words, 'tx.noneFound')).last().waitFor()
}

export const screens: Screen[] = [
  at('identifier', '/identifier-set', (page) => page.getByRole('textbox').waitFor(), null),
  at(
    'identifier missing',
    '/identifier-set',
    async (page, words) => {
      await button(page, text(words, 'common.continue')).click()
      await page.getByText(text(words, 'idn.required')).waitFor()
    },
    null,
  ),
  at(
    'identifier unknown',
    '/nowhere/login',
    (page, words) => page.getByText(text(words, 'idn.notFound')).waitFor(),
    null,
  ),
  at('login', '/aurora/login', (page) => page.getByRole('textbox').first().waitFor(), null),
  at(
    'login missing',
    '/aurora/login',
    async (page, words) => {
      await button(page, text(words, 'login.submit')).click()
      await page.getByText(text(words, 'login.accountReq')).waitFor()
    },
    null,
  ),
  at(
    'login, language menu',
    '/aurora/login',
    async (page) => {
      await page.locator('button[aria-haspopup=menu]').click()
      await page.getByRole('menu').waitFor()
    },
    null,
  ),
  at('modules', '/aurora/index'),
  at('settings', '/aurora/index', async (page, words) => {
    await heading(page)
    await page.locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: text(words, 'set.logout') }).waitFor()
  }),
  at('customer display', '/aurora/display'),
  at('turned to the customer', member('view'), async (page, words) => {
    await overview(page, words)
    await button(page, text(words, 'set.turn')).click()
    await sheet(page).getByText(text(words, 'disp.points')).waitFor()
  }),
  at('change password', '/aurora/index', async (page, words) => {
    await heading(page)
    await page.locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: text(words, 'set.changePw') }).click()
    await sheet(page).getByRole('textbox').first().waitFor()
  }),
  at('shift', '/aurora/shift'),
  at('shift of the store', '/aurora/shift/store'),
  at('static', '/aurora/static'),
  at('rules', '/aurora/rules', (page) =>
    main(page).getByRole('heading', { level: 3 }).first().waitFor(),
  ),
  at('nowhere', '/aurora/nowhere'),
  at('no permission', '/aurora/index', heading, 'dan'),
  at('search', '/aurora/member/search/index'),
  at('search peek', '/aurora/member/search/index', async (page, words) => {
    await page.getByRole('textbox', { name: text(words, 'search.mobile') }).fill('2015550123')
    await page.getByRole('button', { name: /G•••e/ }).waitFor()
  }),
  at('search nobody', '/aurora/member/search/index', async (page, words) => {
    await page.getByRole('textbox', { name: text(words, 'search.mobile') }).fill('2125559999')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: text(words, 'search.none') }).waitFor()
  }),
  at('register', '/aurora/member/search/register', (page, words) =>
    page.getByRole('checkbox', { name: text(words, 'reg.terms') }).waitFor(),
  ),
  at('register wrong', '/aurora/member/search/register', async (page, words) => {
    await page.getByRole('checkbox', { name: text(words, 'reg.terms') }).waitFor()
    await button(page, text(words, 'reg.submit')).click()
    await page.getByRole('region', { name: text(words, 'reg.problem') }).waitFor()
  }),
  at('member', member('view'), overview),
  at('member of harbour', '/harbour/member/home/view?code=HAR10001', overview),
  at('nobody', member('view', 'NOBODY1')),
  at('coupons', member('coupon'), (page) => main(page).getByRole('article').first().waitFor()),
  at('coupons used', member('coupon'), async (page, words) => {
    await page.getByRole('radio', { name: text(words, 'cpn.used') }).check()
    await main(page).getByRole('article').first().waitFor()
  }),
  at('coupons expired', member('coupon'), async (page, words) => {
    await page.getByRole('radio', { name: text(words, 'cpn.expired') }).check()
    await main(page).getByRole('article').first().waitFor()
  }),
  at('coupons, none selected', member('coupon'), async (page, words) => {
    await button(page, text(words, 'cpn.select')).click()
    await button(page, text(words, 'bat.all')).waitFor()
  }),
  at('coupons to select', member('coupon'), async (page, words) => {
    await button(page, text(words, 'cpn.select')).click()
    await button(page, text(words, 'bat.all')).click()
  }),
  at('coupon', member('coupon'), async (page) => {
    await main(page).getByRole('article').first().getByRole('heading').click()
    await sheet(page).waitFor()
  }),
  at('coupon question', member('coupon'), async (page, words) => {
    const article = main(page).getByRole('article').first()
    await article.getByRole('button', { name: new RegExp(`^${text(words, 'cpn.redeem')}`) }).click()
    await button(page, text(words, 'rdm.do')).waitFor()
  }),
  at('issue', member('coupon'), async (page, words) => {
    await button(page, text(words, 'cpn.issue')).click()
    await sheet(page).getByRole('button').nth(2).waitFor()
  }),
  at('points', member('point'), (page) => main(page).getByRole('img').last().waitFor()),
  at('rewards', member('point-redeem'), (page) =>
    main(page).getByRole('listitem').first().waitFor(),
  ),
  at('reward question', member('point-redeem'), async (page) => {
    await main(page).getByRole('listitem').getByRole('button').first().click()
    await sheet(page).waitFor()
  }),
  at('sale', member('point-redeem'), async (page, words) => {
    await page.getByRole('radio', { name: text(words, 'ex.sale') }).check()
    await page.getByRole('textbox').last().waitFor()
  }),
  at('transactions', member('transaction'), (page) =>
    main(page).getByRole('listitem').first().waitFor(),
  ),
  at('transactions, none found', member('transaction'), noTransaction),
  at(
    'transactions of harbour, none found',
    '/harbour/member/home/transaction?code=HAR10001',
    noTransaction,
  ),
  at('receipt', member('transaction'), async (page) => {
    await main(page).getByRole('listitem').getByRole('button').first().click()
    await main(page).locator('[data-print]').waitFor()
  }),
  at('slip', member('transaction'), async (page, words) => {
    await main(page).getByRole('listitem').getByRole('button').first().click()
    await button(page, text(words, 'slip.open')).click()
    await sheet(page).getByRole('term').first().waitFor()
  }),
  at('receipt of harbour', '/harbour/member/home/transaction?code=HAR10001', async (page) => {
    await main(page).getByRole('listitem').getByRole('button').first().click()
    await main(page).locator('[data-print]').waitFor()
  }),
  at('profile', member('userinfo'), (page) => page.getByRole('textbox').first().waitFor()),
]
