import { type Gateway, openGateway } from '../../support/demo/portal-builds.ts'
import { expect, test as base } from '../../support/fixtures.ts'
import { textsIn } from '../../support/portal/catalogue.ts'

// A device without a network, and the portal as an installed app.

const test = base.extend<{ gateway: Gateway }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads the names from the pattern
  gateway: async ({}, use) => {
    const gateway = await openGateway(process.env['BASE_URL'] ?? '')
    await use(gateway)
    await gateway.close()
  },
  baseURL: async ({ gateway }, use) => use(gateway.address),
})
test.use({ serviceWorkers: 'allow' })

test('a reload and a start without a network show the portal’s own page', async ({
  page,
  gateway,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_|Failed to fetch|503/)
  await page.goto(`${gateway.address}/aurora/login?lang=zh-HK`)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null))
  // The worker stores the page after the next navigation, in the language of the screen.
  await page.reload()
  const stored = () =>
    page.evaluate(async () => {
      const answer = await caches.match('/aurora/offline', { ignoreVary: true })
      return (await answer?.text()) ?? ''
    })
  await expect.poll(stored, { timeout: 20_000 }).toContain('lang="zh-HK"')
  // A captive portal answers every address.
  gateway.switchTo(null)
  const before = gateway.asked.length
  await page.goto('/aurora/login')
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  // The browser looks for a new worker too, before or after it.
  const asked = () => gateway.asked.slice(before).map(({ path }) => path)
  await expect.poll(asked).toContain('/aurora/offline')
  expect(await stored()).toContain('lang="zh-HK"')
  await gateway.close()

  const words = textsIn('zh-HK')
  const heading = page.getByRole('heading', { name: words.get('off.title') ?? 'none' })
  await page.reload()
  await expect(heading).toBeVisible()
  await expect(page.getByLabel('Account')).toHaveCount(0)
  const start = `${gateway.address}/aurora/member/home/view?code=AUR10001`
  await page.goto(start)
  await expect(heading).toBeVisible()
  await expect(page.getByText('Grace')).toHaveCount(0)
  await page.getByRole('link', { name: words.get('common.retry') ?? 'none' }).click()
  await expect(heading).toBeVisible()
  expect(page.url()).toBe(start)
  // Another company's page is not stored: a page without any company.
  await page.goto(`${gateway.address}/lotus/login`)
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
})

for (const company of ['aurora', 'lotus', 'harbour', 'formosa']) {
  test(`${company} can be installed with its own name and icon`, async ({ page, request }) => {
    await page.goto(`/${company}/login?lang=zh-TW`)
    const link = page.locator('link[rel=manifest]')
    const address = (await link.getAttribute('href')) ?? ''
    const answer = await request.get(address)
    expect(answer.headers()['content-type']).toContain('application/manifest+json')
    const manifest: Record<string, unknown> = JSON.parse(await answer.text())
    expect(manifest).toMatchObject({
      start_url: `/${company}/index`,
      scope: `/${company}/`,
      display: 'standalone',
    })
    expect(manifest['name']).not.toBe('')
    const icon = await request.get(`/web/app/${company}/icon.svg`)
    expect(icon.headers()['content-type']).toContain('image/svg+xml')
    expect(await icon.text()).toMatch(/<rect [^>]*fill="#[\da-f]{6}"\/><text [^>]*>\p{L}<\/text>/iu)
  })
}

test('an unknown company has no app', async ({ request }) => {
  for (const name of ['nobody/icon.svg', 'aurora/other.svg', 'nobody/manifest.webmanifest']) {
    expect((await request.get(`/web/app/${name}`)).status()).toBe(404)
  }
})
