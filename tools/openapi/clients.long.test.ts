import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { testCoupon } from '@tillside/server/testing/factories/coupon'
import { testKey } from '@tillside/server/testing/factories/key'
import { testMember } from '@tillside/server/testing/factories/member'
import { givePoints } from '@tillside/server/testing/factories/points'
import { pointRules } from '@tillside/server/testing/factories/spending'
import { type Shop, testShop } from '@tillside/server/testing/factories/shop'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeDocument } from './document.ts'
import { documentFile, folder, generateTypes, installTools, runTool } from './install.ts'

// Three generators of clients read the document. Each client, as it was generated, compiles and
// makes a sale with loyalty against the server.
const work = join(folder, 'node_modules/.cache/clients')
const generated = join(work, 'generated')
const exchange = { minimum: 1, maximum: 10_000, increment: 1, pointValue: '0.01', maxShare: 0.5 }
let shop: Shop
let base: string

beforeAll(async () => {
  installTools()
  rmSync(work, { recursive: true, force: true })
  mkdirSync(generated, { recursive: true })
  cpSync(join(folder, 'journeys'), work, { recursive: true })
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
  shop = await testShop({ points: { ...pointRules, exchange } })
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

/** Bundles a journey, runs it, and returns its complaints. */
async function runJourney(name: string, environment: Record<string, string>): Promise<string> {
  const bundle = join(work, `${name}.mjs`)
  runTool('rolldown', [join(work, `${name}.ts`), '--file', bundle, '--platform', 'node'])
  const env = { ...process.env, ...environment, BASE: base, RUN: randomUUID().slice(0, 8) }
  const child = spawn(process.execPath, [bundle], { env, stdio: ['ignore', 'inherit', 'pipe'] })
  const [told] = await Promise.all([text(child.stderr), once(child, 'close')])
  return told
}
