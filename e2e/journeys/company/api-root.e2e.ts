import { once } from 'node:events'
import { createServer as createWebServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { root } from '../../../tools/setup.mjs'
import { apiAt, password } from '../../support/demo/api.ts'
import { serveBuild } from '../../support/demo/portal-builds.ts'
import { expect, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// A portal that is served apart from its API finds it by the name that it is opened under.

const built = join(root, 'portal/dist')

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

test('under a name of QA it asks the API of QA, which lets no other page ask', async ({
  page,
  user,
  browserErrors,
}) => {
  const port = await freePort()
  const portal = `http://qa.localhost:${port}`
  const api = await serveBuild(built, { PORTAL_ORIGINS: portal })
  const settings = { PORT: String(port), API_ROOT_QA: api.address, PUBLIC_URL: portal }
  const server = await serveBuild(built, settings)
  const { origin } = new URL(api.address)
  browserErrors.allow(new RegExp(`^asked a third party: (${portal}|${origin}/web/api/)`))
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/web/api/')) asked.push(new URL(request.url()).origin)
  })

  await page.goto(`${portal}/aurora/login`)
  await page.getByLabel('Account').fill('amy')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByText(english('login.wrongPassword'))).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await user.tap(page.getByRole('link', { name: 'Members' }))
  await page.goto(`${portal}/aurora/member/home/view?code=AUR10001`)
  await expect(page.getByRole('heading', { name: 'Grace Lee' })).toBeVisible()
  expect(new Set(asked)).toEqual(new Set([origin]))

  // The same API, asked by a page of another origin, is not answered.
  const stranger = createWebServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>')
  }).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const elsewhere = `http://127.0.0.1:${portOf(stranger)}`
  browserErrors.allow(/CORS|ERR_FAILED|favicon/)
  browserErrors.allow(new RegExp(`^asked a third party: ${elsewhere}`))
  await page.goto(elsewhere)
  const { token } = await apiAt(api.address).logIn('aurora')
  const told = await page.evaluate(
    ([address, bearer]) =>
      fetch(`${address}/web/api/v1/connector/config/getPermission`, {
        headers: { authorization: `Bearer ${bearer}` },
      }).then(
        () => 'answered',
        () => 'refused',
      ),
    [api.address, token],
  )
  expect(told).toBe('refused')
  stranger.close()
  await Promise.all([server.close(), api.close()])
})
