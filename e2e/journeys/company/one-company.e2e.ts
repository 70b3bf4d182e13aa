import { getPermission } from '@tillside/contract/company'
import { openMember } from '../../support/portal/member-page.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'

// A device is used for one company at a time (specification, sections 2 and 4).

const stored = (page: Page) => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))

test('entering another company ends the session and removes what was stored', async ({
  page,
  startSession,
  api,
}) => {
  const token = await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await expect.poll(() => stored(page)).toContain('tillside:aurora:permissions')
  await page.evaluate(() => {
    localStorage.setItem('tillside:aurora:search-history', 'encrypted')
    sessionStorage.setItem('tillside:unanswered:tillside:aurora:redeem:amy:AUR10001:', 'key')
    localStorage.setItem('tillside:manual', '["first-day"]')
  })
  const ended = page.waitForResponse('**/auth/logout')
  await page.goto('/lotus/login')
  await expect(page.getByLabel('Account')).toBeVisible()
  expect((await ended).status()).toBe(200)
  const kept = await stored(page)
  expect(kept).not.toContain('aurora')
  // What belongs to the device stays.
  expect(kept).toContain('first-day')
  expect(await api.ask(getPermission, {}, { token })).toMatchObject({ code: 401 })
})

test('ends the session in every other tab', async ({
  page,
  context,
  startSession,
  api,
  browserErrors,
}) => {
  // The page may still be loading lists for later when the other tab ends its session.
  browserErrors.allow(/401/)
  const token = await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  const other = await context.newPage()
  await other.goto('/lotus/login')
  await expect(other.getByLabel('Account')).toBeVisible()
  await expect(page.getByText('Grace Lee')).toHaveCount(0)
  await expect.poll(() => api.ask(getPermission, {}, { token })).toMatchObject({ code: 401 })
  expect(await stored(other)).not.toContain('aurora')
})

test('a logout that fails is repeated', async ({ page, startSession, api, browserErrors }) => {
  browserErrors.allow(/ERR_FAILED/)
  const token = await startSession('aurora')
  let attempts = 0
  await page.route('**/auth/logout', (route) => {
    attempts += 1
    return attempts === 1 ? route.abort() : route.continue()
  })
  await page.goto('/lotus/login')
  await expect.poll(() => api.ask(getPermission, {}, { token })).toMatchObject({ code: 401 })
  expect(attempts).toBe(2)
})

test('an address of no company ends no session', async ({ page, startSession, api }) => {
  const token = await startSession('aurora')
  await page.goto('/nowhere/index')
  await expect(page).toHaveURL('/identifier-set')
  await page.goto('/aurora/index')
  await expect(page.getByRole('link', { name: 'Members' })).toBeVisible()
  expect(await api.ask(getPermission, {}, { token })).toMatchObject({ code: 0 })
})
