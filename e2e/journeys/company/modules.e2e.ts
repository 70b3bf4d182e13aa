import { getOtherConfig, getPermission } from '@tillside/contract/company'
import { permissions } from '@tillside/contract/wire/permissions'
import { expect, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The menu tree of a company (specification, section 3), and the defaults of the specification
// where the server says nothing (sections 3 and 6).

test('a module has its icon, and its child menus are links below it', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const company = await shop.company('formosa', (definition) => ({
    ...definition,
    menus: [
      ...definition.menus,
      {
        ...more,
        id: 'shop',
        identifier: 'shop',
        url: null,
        icon: 'storefront',
        names: names('Shop'),
      },
      { ...more, id: 'new', parent: 'shop', identifier: 'new', names: names('New member') },
      {
        ...more,
        id: 'tours',
        parent: 'new',
        identifier: 'tours',
        url: outside,
        names: names('Tours'),
      },
    ],
    groups: definition.groups.map((group) => ({
      ...group,
      menus: [...group.menus, 'shop', 'new', 'tours'],
    })),
  }))
  await startSession(company, await shop.clerk(company))
  await page.goto(`/${company}/index`)
  const group = page.getByRole('listitem').filter({ hasText: 'Shop' }).first()
  await expect(group.getByRole('heading', { name: 'Shop' }).locator('svg')).toBeVisible()
  await expect(group.getByRole('link', { name: 'Tours opens in a new tab' })).toBeVisible()
  await user.tap(group.getByRole('link', { name: 'New member' }))
  await expect(page).toHaveURL(`/${company}/member/search/register`)
})

const names = (name: string) => ({ 'en-US': name, 'zh-CN': name, 'zh-TW': name })
const outside = 'https://tours.example.com/'
const more = { parent: null, icon: null, sort: 9, url: '/member/search/register' }

test('without menus the clerk is sent to the administrator', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.route(`**${getPermission.path}`, (route) =>
    route.fulfill({ json: { code: 0, message: '', data: {} } }),
  )
  await page.goto('/aurora/member/search/index')
  await expect(page.getByRole('heading')).toHaveText(english('np.text'))
})

test('register, scan and redeem are off unless they are granted', async ({
  page,
  startSession,
}) => {
  await startSession('aurora')
  await page.route(`**${getPermission.path}`, async (route) => {
    const response = await route.fetch()
    const answer: { data: { appMenus: { type: string; identifier: string }[] } } =
      await response.json()
    const off = new Set<string>(permissions.filter((name) => name !== 'coupon'))
    answer.data.appMenus = answer.data.appMenus.filter(({ identifier }) => !off.has(identifier))
    await route.fulfill({ json: answer })
  })
  await page.goto('/aurora/member/search/index')
  await expect(page.getByRole('heading', { name: english('search.title') })).toBeVisible()
  await expect(page.getByRole('link', { name: english('search.register') })).toHaveCount(0)
  await expect(page.getByRole('button', { name: english('search.scan') })).toHaveCount(0)
  await page.goto('/aurora/member/home/coupon?code=AUR10001')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Redeem/ })).toHaveCount(0)
})

test('a silent server leaves the layout and the profile of the specification', async ({
  page,
  startSession,
}) => {
  await startSession('harbour')
  // Harbour shows all tiers and opens receipts in the list.
  await page.route('**/harbour/member/**', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/"layoutStyleConfig":\{[^}]*\}/, '"layoutStyleConfig":{}')
    expect(body).not.toBe(html)
    await route.fulfill({ response, body })
  })
  await page.route(`**${getOtherConfig.path}`, async (route) => {
    const answer: { data: Record<string, unknown> } = await (await route.fetch()).json()
    delete answer.data['profileFields']
    await route.fulfill({ json: answer })
  })
  await page.goto('/harbour/member/home/view?code=HAR10001')
  await expect(page.getByRole('meter').or(page.getByText(english('tier.top')))).toBeVisible()
  await page.goto('/harbour/member/home/userinfo?code=HAR10001')
  const labels = page.getByRole('main').getByRole('term')
  await expect(labels.filter({ hasText: 'E-mail' })).toBeVisible()
})
