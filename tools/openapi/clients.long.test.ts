import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { webhookEvents } from '@tillside/contract/integration/events'
import { deliverOutbox } from '@tillside/server/outbox/webhooks'
import { startReceiver } from '@tillside/server/testing/servers/webhook-receiver'
import { testCoupon } from '@tillside/server/testing/factories/coupon'
import { testKey } from '@tillside/server/testing/factories/key'
import { testMember } from '@tillside/server/testing/factories/member'
import { givePoints } from '@tillside/server/testing/factories/points'
import { pointRules } from '@tillside/server/testing/factories/spending'
import { type Shop, testShop } from '@tillside/server/testing/factories/shop'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { writeDocument } from './document.ts'
import { documentFile, folder, generateTypes, installTools, runTool } from './install.ts'

// Three generators of clients read the document. Each client, as it was generated, compiles and
// makes a sale with loyalty against the server, and reads the events that a webhook gets.
const work = join(folder, 'node_modules/.cache/clients')
const generated = join(work, 'generated')
const exchange = { minimum: 1, maximum: 10_000, increment: 1, pointValue: '0.01', maxShare: 0.5 }
const secretVariable = 'WEBHOOK_SECRET_TEST'
const secret = 'a secret of the test, long enough'
let shop: Shop
let base: string
let port: number

beforeAll(async () => {
  installTools()
  rmSync(work, { recursive: true, force: true })
  mkdirSync(generated, { recursive: true })
  cpSync(join(folder, 'journeys'), work, { recursive: true })
  writeFileSync(join(work, 'genuine.mjs'), signatureCheck())
  writeDocument(documentFile)
  generateTypes(join(generated, 'schema.ts'))
  runTool('openapi-ts', ['-i', documentFile, '-o', join(generated, 'hey')])
  runTool('orval', [
    '--input',
    documentFile,
    '--output',
    join(generated, 'orval.ts'),
    '--client',
    'fetch',
  ])
  port = await freePort()
  const url = `http://127.0.0.1:${port}/tillside`
  const webhook = { id: 'crm', url, secretVariable, events: [...webhookEvents] }
  shop = await testShop({ points: { ...pointRules, exchange }, webhooks: [webhook] })
  base = `${await shop.app.listen({ port: 0 })}${integrationBase}`
}, 300_000)
afterAll(() => shop.close())

test('the clients compile', () => {
  runTool('tsc', ['-p', join(work, 'tsconfig.json')])
}, 120_000)

test.each(['fetch', 'hey', 'orval'])(
  'the client of %s makes the whole journey',
  async (name) => {
    const { key } = await testKey(shop, { stores: ['S1'] })
    const mobile = String(60_000_000 + Math.floor(Math.random() * 9_999_999))
    const member = await testMember(shop, { countryCode: '852', mobile })
    await givePoints(shop, member, 2_000)
    const coupon = await testCoupon(shop, member)
    const told = await runJourney(name, { KEY: key, MOBILE: mobile, COUPON: coupon })
    expect(told).toBe('')
    expect(await shop.violations()).toEqual([])
  },
  60_000,
)

/** The code of docs/webhooks.md that checks a signature. */
function signatureCheck(): string {
  const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
  const code = /^```js\n(.*?)^```/ms.exec(page)?.[1]
  if (code === undefined) throw new Error('docs/webhooks.md has no code')
  return code
}

/** A port for the receiver of each journey. */
async function freePort(): Promise<number> {
  const receiver = await startReceiver()
  await receiver.close()
  return receiver.port
}

/** Bundles a journey, runs it, and returns its complaints. */
async function runJourney(name: string, environment: Record<string, string>): Promise<string> {
  const bundle = join(work, `${name}.mjs`)
  runTool('rolldown', [join(work, `${name}.ts`), '--file', bundle, '--platform', 'node'])
  const run = {
    BASE: base,
    RUN: randomUUID().slice(0, 8),
    SECRET: secret,
    RECEIVER_PORT: `${port}`,
  }
  const env = { ...process.env, ...environment, ...run }
  const child = spawn(process.execPath, [bundle], { env, stdio: ['ignore', 'inherit', 'pipe'] })
  const ended = Promise.all([text(child.stderr), once(child, 'close')])
  // As the server's background job does.
  while (child.exitCode === null && child.signalCode === null) {
    await deliverOutbox(shop.database, shop.id, {
      environment: { [secretVariable]: secret },
      now: true,
    })
    await sleep(50)
  }
  const [told] = await ended
  return told
}
