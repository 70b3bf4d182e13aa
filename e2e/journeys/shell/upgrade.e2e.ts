import { getPermission } from '@tillside/contract/company'
import { password } from '../../support/demo/api.ts'
import {
  buildNext,
  type Gateway,
  nextTitle,
  openGateway,
  serveBuild,
} from '../../support/demo/portal-builds.ts'
import { test as base, expect, type Page } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// A new version: two builds that are served one after the other.

type Builds = { now: string; next: string }

const test = base.extend<{ gateway: Gateway }, { builds: Builds }>({
  builds: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads the names from the pattern
    async ({}, use) => {
      const next = await serveBuild(await buildNext())
      await use({ now: process.env['BASE_URL'] ?? '', next: next.address })
      await next.close()
    },
    // A whole build of the portal, on a machine that does other work too.
    { scope: 'worker', timeout: 300_000 },
  ],
  gateway: async ({ builds }, use) => {
    const gateway = await openGateway(builds.now)
    await use(gateway)
    await gateway.close()
  },
  baseURL: async ({ gateway }, use) => use(gateway.address),
})
test.use({ serviceWorkers: 'allow' })
test.describe.configure({ mode: 'serial' })

const banner = (page: Page) => page.getByText(english('upd.text'))
const versionChecks = (gateway: Gateway) =>
  gateway.asked.filter(({ path }) => path === '/version.json')

/** Waits until this version's files lie on the device. */
async function settled(page: Page): Promise<string[]> {
  await expect
    .poll(() => keptFiles(page).then((files) => files.length), { timeout: 30_000 })
    .toBeGreaterThan(30)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null))
  return keptFiles(page)
}

function keptFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const lists = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    )
    return lists.flat()
  })
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Members' }).waitFor()
}

test('is looked for every five seconds, almost free of charge', async ({
  page,
  network,
  gateway,
}) => {
  await page.goto('/aurora/login')
  await expect.poll(() => versionChecks(gateway).length, { timeout: 20_000 }).toBeGreaterThan(1)
  // The first brings the file; from then on "not modified" is all that travels.
  expect(versionChecks(gateway).map(({ status }) => status)).toEqual([200, 304])
  await expect(banner(page)).toBeHidden()
  const before = versionChecks(gateway).length
  await network.cut()
  await page.waitForTimeout(6000)
  expect(versionChecks(gateway)).toHaveLength(before)
})

test('finds the program kept on the device, and nothing else', async ({ page, gateway }) => {
  await page.goto('/aurora/login')
  await logIn(page)
  await page.goto('/aurora/member/home/view?code=AUR10001')
  await page.getByRole('heading', { name: 'Grace Lee' }).waitFor()
  const files = await settled(page)
  const foreign = files.filter((url) => !new URL(url).pathname.startsWith('/assets/'))
  expect(foreign).toEqual([])
  expect(files.every((url) => url.startsWith(gateway.address))).toBe(true)
})

test('is offered, clears the device but for the manual, and logs out', async ({
  page,
  gateway,
  builds,
  user,
  api,
}) => {
  await page.goto('/aurora/login')
  await logIn(page)
  await settled(page)
  const token = await page.evaluate(() => {
    localStorage.setItem('tillside:manual', '["first-day"]')
    sessionStorage.setItem('something', 'of this session')
    return JSON.parse(localStorage.getItem('tillside:aurora:session') ?? '{}').token
  })
  gateway.switchTo(builds.next)
  await expect(banner(page)).toBeVisible({ timeout: 15_000 })
  await user.tap(page.getByRole('button', { name: 'Upgrade Now' }))
  await expect(page.getByRole('heading', { name: nextTitle })).toBeVisible()
  await expect(page).toHaveURL('/aurora/login')
  // The new program stores the identifier when it runs; the heading is in the page before. It notes
  // the font when the browser has loaded it, which may be later.
  const kept = async () => {
    const names = await page.evaluate(() => Object.keys(localStorage).sort())
    return names.filter((name) => name !== 'tillside:font')
  }
  await expect.poll(kept).toEqual(['tillside:identifier', 'tillside:manual'])
  expect(await page.evaluate(() => sessionStorage.getItem('something'))).toBeNull()
  await expect(api.ask(getPermission, {}, { token })).resolves.toMatchObject({ code: 401 })
  await logIn(page)
  await expect(banner(page)).toBeHidden()
})

test('leaves three tabs working that hold a half-filled form, and so does the way back', async ({
  page,
  context,
  gateway,
  builds,
}) => {
  await page.goto('/aurora/login')
  await logIn(page)
  const others = [await context.newPage(), await context.newPage()]
  const tabs = [page, ...others]
  for (const tab of tabs) {
    await tab.goto('/aurora/member/search/index')
    await tab.getByRole('textbox').first().fill('2015550123')
  }
  await settled(page)
  gateway.switchTo(builds.next)
  for (const tab of tabs) {
    await tab.bringToFront()
    await expect(banner(tab)).toBeVisible({ timeout: 15_000 })
    await expect(tab.getByRole('textbox').first()).toHaveValue(/555/)
  }
  // The server no longer has the files that this tab has not fetched yet, but the device has.
  await page.bringToFront()
  await page.getByRole('textbox').first().press('Enter')
  await page.getByRole('heading', { name: 'Grace Lee' }).waitFor()
  gateway.switchTo(builds.now)
  for (const tab of others) {
    await tab.bringToFront()
    await expect(banner(tab)).toBeHidden({ timeout: 15_000 })
    await expect(tab.getByRole('textbox').first()).toHaveValue(/555/)
  }
})

test('is not mistaken for the page of a captive portal, which is never kept', async ({
  page,
  gateway,
  builds,
  browserErrors,
}) => {
  browserErrors.allow(/.*/)
  await page.goto('/aurora/login')
  await settled(page)
  const before = await keptFiles(page)
  gateway.switchTo(null)
  const asked = gateway.asked.length
  await expect.poll(() => gateway.asked.length, { timeout: 15_000 }).toBeGreaterThan(asked)
  await expect(banner(page)).toBeHidden()
  // A worker that would install itself now finds nothing that has its files' hashes.
  await page
    .evaluate(() => navigator.serviceWorker.getRegistration().then((r) => r?.update()))
    .catch(() => undefined)
  expect(await keptFiles(page)).toEqual(before)
  gateway.switchTo(builds.now)
  await logIn(page)
})
