import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { scopes } from '@tillside/contract/integration/endpoint'
import { createApp } from '@tillside/server/app'
import { companyNamed } from '@tillside/server/company/find'
import { createKey } from '@tillside/server/staff/keys/key'
import pino from 'pino'
import { root } from '../../../tools/setup.mjs'
import { demoDatabase } from '../../support/demo/database.ts'
import { expect, test } from '../../support/fixtures.ts'

// The built package @tillside/client as modules of a page on another origin, which calls the
// integration interface of a server that allows this origin.

const built = join(root, 'client/dist')
const html = `<!doctype html><title>A till</title>
<script type="importmap">{ "imports": { "openapi-fetch": "/openapi-fetch.mjs" } }</script>
<script type="module">
import { createTillside, ok, pages, verifyWebhook } from '/tillside.js'

globalThis.sell = async ({ baseUrl, key, mobile, couponCode }) => {
  const tillside = createTillside({ baseUrl, key, store: 'NY001', language: 'en-US' })
  const { member } = await ok(
    tillside.POST('/members/find', { body: { countryCode: '1', mobile } }),
  )
  const { memberCode, version } = member
  const redeem = {
    params: { path: { couponCode }, header: { 'idempotency-key': crypto.randomUUID() } },
    body: { memberCode },
  }
  const [first, repeated] = await Promise.all(
    [1, 2].map(() => ok(tillside.POST('/coupons/{couponCode}/redeem', redeem))),
  )
  const renamed = await ok(
    tillside.PATCH('/members/{memberCode}', {
      params: { path: { memberCode }, header: { 'idempotency-key': crypto.randomUUID() } },
      body: { version, lastName: 'Moss' },
    }),
  )
  const history = pages((after) =>
    ok(
      tillside.GET('/members/{memberCode}/coupons', {
        params: { path: { memberCode }, query: { limit: 1, ...(after && { after }) } },
      }),
    ),
  )
  const codes = []
  for await (const { code } of history) codes.push(code)
  const refused = await ok(
    tillside.GET('/members/{memberCode}', { params: { path: { memberCode: 'NOBODY' } } }),
  ).catch(({ code, requestId }) => ({ code, requestId }))
  return { statuses: [first.status, repeated.status], lastName: renamed.lastName, codes, refused }
}
globalThis.verify = (message) => verifyWebhook(message).catch((error) => error.message)
</script>`

/** Serves the page and the files of the package. */
async function startPage() {
  await promisify(execFile)(process.execPath, ['--no-warnings', join(root, 'client/build.mjs')])
  const server = createServer((request, response) => {
    const name = basename(request.url ?? '')
    const file =
      name === 'openapi-fetch.mjs'
        ? join(root, 'node_modules/openapi-fetch/dist/index.mjs')
        : join(built, name)
    if (name === '') return void response.setHeader('content-type', 'text/html').end(html)
    readFile(file).then(
      (text) => response.setHeader('content-type', 'text/javascript').end(text),
      () => response.writeHead(404).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

test('the client package works in a page on another origin @chromium', async ({
  browser,
  shop,
}) => {
  const company = await shop.company('aurora')
  const customer = await shop.customer(company)
  const couponCode = await shop.coupon(company, customer, 'HOUSE', 'NY001')
  const database = demoDatabase()
  const id = await companyNamed(database, company)
  const terms = { name: 'Till in a page', scopes, stores: null }
  const { key } = await database.transaction(id, (tx) => createKey(tx, id, terms))

  const till = await startPage()
  const log = pino({ level: 'silent' })
  const app = await createApp(database, log, { portalOrigins: [till.origin] })
  const baseUrl = `${await app.listen({ port: 0, host: '127.0.0.1' })}/integration/v1`
  const page = await browser.newPage()
  await page.goto(till.origin)
  const given = { baseUrl, key, mobile: customer.mobile, couponCode }
  expect(await page.evaluate(`sell(${JSON.stringify(given)})`)).toEqual({
    statuses: ['USED', 'USED'],
    lastName: 'Moss',
    codes: [couponCode],
    refused: { code: 'memberUnknown', requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
  })
  const message = {
    body: '{}',
    headers: { 'tillside-timestamp': '1' },
    secrets: ['secret'],
    now: 0,
  }
  expect(await page.evaluate(`verify(${JSON.stringify(message)})`)).toBe('the signature is wrong')
  await page.close()
  await app.close()
  till.close()
})
