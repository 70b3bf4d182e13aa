import { openMember, sheet } from '../../support/portal/member-page.ts'
import { browserWithCamera } from '../../support/browser/fake-camera.ts'
import { expect } from '../../support/fixtures.ts'
import { expectNothingCovered } from '../../support/judges/covered.ts'
import { test } from '../../support/judges/inspect.ts'
import { english } from '../../support/portal/catalogue.ts'

// The judges look at layers that appear by themselves, and at the open camera.

test.use({ launchOptions: browserWithCamera('nobody', 'a poster of the shop’s next sale') })
// Each worker would start a browser of its own for these few journeys.
test.describe.configure({ mode: 'default' })

test('the open camera with a foreign code in view', async ({
  page,
  user,
  startSession,
  inspect,
}) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await user.tap(page.getByRole('button', { name: 'Scan', exact: true }))
  await expect(sheet(page).getByText(english('scan.notMember'))).toBeVisible()
  await inspect('camera')
})

test('the open camera next to a member covers no action', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.setViewportSize({ width: 1180, height: 820 })
  await openMember(page, 'aurora', 'AUR10001')
  await page.getByRole('banner').getByRole('button', { name: 'Scan' }).click()
  await expect(sheet(page).getByText(english('scan.notMember'))).toBeVisible()
  await expectNothingCovered(page, 1024)
})

test('the cover over an idle member page', async ({ page, startSession, inspect }) => {
  await startSession('aurora')
  await page.clock.install()
  await openMember(page, 'aurora', 'AUR10001')
  await page.clock.fastForward(95_000)
  const cover = { name: english('veil.title') }
  await expect(page.getByRole('dialog', cover)).toBeVisible()
  await inspect('veil')
})

test('another company in another tab', async ({
  page,
  context,
  startSession,
  browserErrors,
  inspect,
}) => {
  // The page may still be loading lists for later when the other tab ends its session.
  browserErrors.allow(/401/)
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await (await context.newPage()).goto('/lotus/login')
  await page.bringToFront()
  await sheet(page).getByRole('button', { name: 'OK' }).waitFor()
  await inspect('another identifier')
})

test('a newer version above a member, whose rail stays within the window', async ({
  page,
  startSession,
  inspect,
}) => {
  await startSession('aurora')
  await page.clock.install()
  const told = { contentType: 'application/json', body: '{"version":"the next one"}' }
  await page.route('**/version.json', (route) => route.fulfill(told))
  await openMember(page, 'aurora', 'AUR10001')
  await expect(page.getByText('Last transaction')).toBeVisible()
  await expect(async () => {
    await page.clock.fastForward(6000)
    await expect(page.getByText(english('upd.text'))).toBeVisible({ timeout: 1000 })
  }).toPass()
  await inspect('upgrade')
  const next = page.getByRole('button', { name: 'Next customer' }).filter({ visible: true })
  const { width = 0 } = page.viewportSize() ?? {}
  if (width >= 1024) await expect(next).toBeInViewport({ ratio: 1 })
})

test('a member while the network is gone', async ({ page, network, startSession, inspect }) => {
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await expect(page.getByText('Last transaction')).toBeVisible()
  await network.cut()
  await expect(page.getByText(english('off.bar')).first()).toBeVisible()
  await inspect('offline')
})

test.describe('on a tablet that is touched', () => {
  test.use({ viewport: { width: 820, height: 1180 }, hasTouch: true })

  test('the search with keys of its own', async ({ page, startSession, inspect }) => {
    await startSession('aurora')
    await page.goto('/aurora/member/search/index')
    await expect(page.getByRole('group', { name: 'Keypad' })).toBeVisible()
    await inspect('keypad')
  })
})

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1180, height: 820 }, hasTouch: false, isMobile: false })

  test('the header’s search with and without a member', async ({ page, startSession, inspect }) => {
    await startSession('aurora')
    await openMember(page, 'aurora', 'AUR10001')
    const search = page.getByRole('search')
    await search.getByRole('textbox').fill('2015550123')
    await expect(search.getByRole('button', { name: /Open$/ })).toBeVisible()
    await inspect('next member')
    await search.getByRole('textbox').fill('2125559999')
    await search.getByRole('textbox').press('Enter')
    await expect(search.getByRole('heading', { name: english('search.none') })).toBeVisible()
    await inspect('next member, none')
  })
})
