// npm run example:till: builds the page and starts the till against the product of `npm start`. It
// makes an API key for its store and revokes the key when it stops. KEY and TILLSIDE replace them.
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { build } from 'vite'

const root = join(import.meta.dirname, '../..')
const company = 'aurora'
const store = 'NY001'
const scopes = [
  'members:read',
  'coupons:read',
  'coupons:redeem',
  'points:spend',
  'transactions:read',
  'transactions:write',
]

execFileSync(process.execPath, ['--no-warnings', join(root, 'client/build.mjs')])
await build({ root: import.meta.dirname, logLevel: 'warn' })
const given = process.env['KEY']
const made = given === undefined ? createKey() : null
const KEY = given ?? made?.key
const till = spawn(process.execPath, [join(import.meta.dirname, 'src/server/main.ts')], {
  stdio: 'inherit',
  env: { ...process.env, KEY, STORE: process.env['STORE'] ?? store },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => till.kill(signal))
}
till.on('exit', (code) => {
  if (made !== null) tillside('key', 'revoke', company, made.keyId)
  process.exitCode = code ?? 0
})

function createKey(): { key: string; keyId: string } {
  const words = ['--name', 'Example till', '--store', store, '--scope', ...scopes, '--json']
  const answer: unknown = JSON.parse(tillside('key', 'create', company, ...words))
  return z.object({ key: z.string(), keyId: z.string() }).parse(answer)
}

/** Runs a command of the product. @throws Error when it fails */
function tillside(...words: string[]): string {
  return execFileSync(process.execPath, [join(root, 'tools/tillside.mjs'), ...words], {
    encoding: 'utf8',
  })
}
