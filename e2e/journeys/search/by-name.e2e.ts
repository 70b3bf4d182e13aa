import { expect, type Page } from '../../support/fixtures.ts'
import { test } from '../../support/judges/inspect.ts'
import type { Shop } from '../../support/demo/shop.ts'
import { english } from '../../support/portal/catalogue.ts'

// A customer without card and phone says a name. The clerk chooses from a masked list.

const box = (page: Page) => page.getByRole('textbox').first()
const matches = (page: Page) => page.getByRole('region', { name: english('search.names') })

/** A company whose clerks may search by name. */
function withNames(shop: Shop): Promise<string> {
  return shop.company('aurora', (definition) => ({
    ...definition,
    groups: definition.groups.map((group) =>
      group.code === 'full'
        ? { ...group, permissions: [...group.permissions, 'homeMemberSearchByName' as const] }
        : group,
    ),
  }))
}

test(
  'a name finds masked members, and one of them opens',
  { tag: '@both' },
  async ({ page, user, shop, startSession, inspect }) => {
    const company = await withNames(shop)
    const chosen = await shop.customer(company, { firstName: '美玲', lastName: '陳' })
    await shop.customer(company, { firstName: '美玲', lastName: '陈' })
    await shop.customer(company, { firstName: 'Grace', lastName: 'Lee' })
    const clerk = await shop.clerk(company)
    await startSession(company, clerk)
    await page.goto(`/${company}/member/search/index`)
    await expect(page.getByText(english('search.nameHint'))).toBeVisible()
    await box(page).fill('陈美')
    await expect(page.getByText(english('search.name'), { exact: true })).toBeVisible()
    const found = matches(page).getByRole('link')
    await expect(found).toHaveCount(2)
    await expect(matches(page)).toContainText('•')
    await expect(matches(page)).not.toContainText('美')
    await inspect('members of a name')
    await box(page).fill('cml')
    await page.keyboard.press('Enter')
    await expect(found).toHaveCount(2)
    await user.tap(found.filter({ hasText: chosen.memberCode }))
    await expect(page.getByRole('heading', { level: 1 })).toContainText('陳美玲')
  },
)

test('no name, one letter, and a wildcard', async ({ page, shop, startSession, inspect }) => {
  const company = await withNames(shop)
  const clerk = await shop.clerk(company)
  await startSession(company, clerk)
  await page.goto(`/${company}/member/search/index`)
  await box(page).fill('Nobody')
  await expect(matches(page)).toContainText(english('search.nameNone'))
  await inspect('no member of a name')
  for (const text of ['陳', '%', '__']) {
    await box(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(page.getByText(english('search.nameReq'))).toBeVisible()
    await expect(matches(page)).toHaveCount(0)
  }
})

test('a clerk without the permission has no names', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await box(page).fill('Grace')
  await expect(page.getByText(english('search.name'), { exact: true })).toHaveCount(0)
  await page.waitForTimeout(700)
  await expect(matches(page)).toHaveCount(0)
})
