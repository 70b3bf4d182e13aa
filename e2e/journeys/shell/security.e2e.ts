import { createServer } from 'node:http'
import { expect, type Page, test } from '../../support/fixtures.ts'

// The limits of a page of the portal in a real browser, if an attacker manages to put text or code
// it. Every other journey fails on a violated policy or a foreign request; these ask for both.

const grace = (page: Page) => page.getByRole('heading', { name: 'Grace Lee', level: 1 })

test('a member’s page runs no foreign code and sends nothing elsewhere', async ({
  page,
  startSession,
  browserErrors,
}) => {
  browserErrors.allow(/policy violated|content security policy|Trusted|elsewhere\.example/i)
  await startSession('aurora')
  await page.goto('/aurora/member/home/view?code=AUR10001')
  await expect(grace(page)).toBeVisible()
  const told = await page.evaluate(async () => {
    // oxlint-disable-next-line consistent-function-scoping -- it runs in the page
    const outcome = async (act: () => unknown): Promise<string> => {
      // Code of the runner's own connection has more rights than the page; code of a timer has not.
      await new Promise((wake) => setTimeout(wake))
      try {
        await act()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'refused'
      }
    }
    // oxlint-disable-next-line consistent-function-scoping -- it runs in the page
    const put = (tag: string, values: Record<string, string>) => {
      const element = Object.assign(document.createElement(tag), values)
      return new Promise((done, failed) => {
        element.addEventListener('load', () => done('loaded'))
        element.addEventListener('error', () => failed(new Error('refused')))
        document.body.append(element)
      })
    }
    return {
      // Text never becomes a program.
      html: await outcome(() => (document.body.innerHTML = '<b>x</b>')),
      eval: await outcome(() => Reflect.get(globalThis, 'eval')('1')),
      maker: await outcome(() => Reflect.construct(Function, ['return 1'])),
      script: await outcome(() => put('script', { textContent: 'globalThis.hacked = 1' })),
      address: await outcome(() => put('script', { src: 'https://elsewhere.example/x.js' })),
      // A script can neither create a policy nor take one of ours.
      policy: await outcome(() => Reflect.get(globalThis, 'trustedTypes').createPolicy('own', {})),
      // Nothing of the page leaves for anybody else.
      fetch: await outcome(() => fetch('https://elsewhere.example/')),
      beacon: navigator.sendBeacon('https://elsewhere.example/', 'x') ? 'sent or refused' : '',
      picture: await outcome(() => put('img', { src: 'https://elsewhere.example/x.png' })),
      // An attribute, a sheet: nothing inline is looked at.
      style: await outcome(() => {
        document.body.setAttribute('style', 'outline: 7px solid')
        return getComputedStyle(document.body).outlineWidth
      }),
      outline: getComputedStyle(document.body).outlineStyle,
      hacked: Reflect.get(globalThis, 'hacked') ?? null,
    }
  })
  expect(told).toEqual({
    html: 'TypeError',
    eval: 'EvalError',
    maker: 'EvalError',
    script: 'TypeError',
    address: 'TypeError',
    policy: 'TypeError',
    fetch: 'TypeError',
    beacon: 'sent or refused',
    picture: 'Error',
    style: 'done',
    outline: 'none',
    hacked: null,
  })
})

test('no other site shows a page in a frame', async ({ page, baseURL, browserErrors }) => {
  browserErrors.allow(/frame|chrome-error|third party|favicon/)
  const host = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<h1>Elsewhere</h1><iframe src="${baseURL}/aurora/login"></iframe>`)
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  const address = host.address()
  const port = typeof address === 'object' ? address?.port : 0
  await page.goto(`http://127.0.0.1:${port}/`)
  await expect(page.getByRole('heading', { name: 'Elsewhere' })).toBeVisible()
  const inside = page.frameLocator('iframe').getByLabel('Account')
  await expect(inside).toHaveCount(0)
  const frame = page.frames().find((one) => one !== page.mainFrame())
  expect(frame?.url()).not.toContain('/aurora/login')
  host.close()
})

test('the program has no source maps, and loads from the portal only', async ({
  page,
  startSession,
}) => {
  const files = new Set<string>()
  const foreign: string[] = []
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url())
    if (pathname.startsWith('/assets/')) files.add(response.url())
    if (!/^(null|http:\/\/127\.0\.0\.1:\d+)$/.test(origin)) foreign.push(response.url())
  })
  await startSession('aurora')
  await page.goto('/aurora/member/home/view?code=AUR10001')
  await expect(grace(page)).toBeVisible()
  expect(foreign).toEqual([])
  expect(files.size).toBeGreaterThan(3)
  for (const file of files) {
    const answer = await page.request.get(file)
    expect(answer.headers()).toMatchObject({ 'x-content-type-options': 'nosniff' })
    if (/\.(js|css)$/.test(file)) expect(await answer.text()).not.toContain('sourceMappingURL')
    expect([file, (await page.request.get(`${file}.map`)).status()]).toEqual([file, 404])
  }
  // A cookie never logs in: requests carry cookies by themselves.
  const cookies = await page.context().cookies()
  const others = cookies.filter(({ name }) => name !== 'tillside-device')
  expect(others.filter(({ value }) => value.length > 20)).toEqual([])
})
