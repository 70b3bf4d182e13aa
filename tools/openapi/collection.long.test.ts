import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { exampleShop } from '@tillside/server/testing/example-shop'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { journeyFolder } from './collection.ts'
import { folder, installTools } from './install.ts'

const run = promisify(execFile)
let shop: Awaited<ReturnType<typeof exampleShop>>
beforeAll(async () => {
  installTools()
  shop = await exampleShop()
}, 300_000)
afterAll(() => shop.close())

test('the collection makes a sale with loyalty, twice', async () => {
  const baseUrl = `${await shop.app.listen({ port: 0 })}${integrationBase}`
  const newman = join(folder, 'node_modules/.bin/newman')
  const collection = join(root, 'docs/tillside.postman_collection.json')
  const variables = [`baseUrl=${baseUrl}`, `key=${shop.key}`].flatMap((one) => ['--env-var', one])
  const options = ['--folder', journeyFolder, '--iteration-count', '2', '--reporters', 'json']
  const report = join(folder, 'node_modules/.cache/collection-report.json')
  // It fails when a call is not answered with 200.
  await run(
    process.execPath,
    [newman, 'run', collection, ...options, '--reporter-json-export', report, ...variables],
    { timeout: 60_000 },
  )
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    run: {
      stats: { requests: { total: 26, failed: 0 }, assertions: { total: 26, failed: 0 } },
    },
  })
}, 90_000)
