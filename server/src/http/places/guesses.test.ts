import { login } from '@tillside/contract/auth'
import { getCustomTheme } from '@tillside/contract/company'
import { basePath, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { password, testCompany, type TestCompany } from '../../testing/factories/company.ts'
import { limitNameGuesses, maxUnknownNames } from './guesses.ts'

// A stranger tries the identifiers of companies: by the theme, by the login and by pages.
let company: TestCompany
let other: TestCompany
let folder: string
let app: FastifyInstance
beforeAll(async () => {
  company = await testCompany()
  other = await testCompany()
  folder = await mkdtemp(join(tmpdir(), 'tillside-portal-'))
  await mkdir(join(folder, 'server'))
  await mkdir(join(folder, 'client/assets'), { recursive: true })
  const page = `export const renderFirstPage = ({ frame }) => ({ html: frame, styleHashes: [] })`
  await writeFile(join(folder, 'server/first-page.js'), page)
  app = await createApp(company.database, pino({ level: 'silent' }), { portal: folder })
})
afterAll(async () => {
  await app.close()
  await company.close()
  await other.close()
  await rm(folder, { recursive: true })
})

const ways = {
  async theme(identifier: string, remoteAddress: string) {
    const url = `${basePath}${getCustomTheme.path}?xcrmIdentifier=${identifier}`
    return Envelope.parse((await app.inject({ url, remoteAddress })).json())
  },
  async login(identifier: string, remoteAddress: string) {
    const payload = { identifier, account: 'amy', password }
    const url = basePath + login.path
    return Envelope.parse(
      (await app.inject({ method: 'POST', url, payload, remoteAddress })).json(),
    )
  },
}
const page = async (identifier: string, remoteAddress: string) =>
  (await app.inject({ url: `/${identifier}/login`, remoteAddress })).body

test.each(['theme', 'login'] as const)('thirty names are answered by the %s', async (way) => {
  const address = way === 'theme' ? '2001:db8:7::1' : '2001:db8:8::1'
  const ask = ways[way]
  expect((await ask(company.identifier, address)).code).toBe(0)
  for (let n = 0; n < maxUnknownNames; n++) {
    const sameNetwork = `${address.slice(0, -1)}${n + 2}`
    expect((await ask(`guess-${n}`, sameNetwork)).code).toBe(failures.identifierUnknown.code)
  }
  // The answer is the same for names of companies and for other names.
  for (const name of ['guess-more', other.identifier]) {
    const refused = await ask(name, address)
    expect(refused.code).toBe(failures.tooManyAttempts.code)
    const { retryAfter } = failures.tooManyAttempts.data.parse(refused.data)
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(30)
    expect(await page(name, address)).toBe('identifier')
  }
  // Names that the network knows, and other networks, are answered.
  expect((await ask(company.identifier, address)).code).toBe(0)
  expect(await page(company.identifier, address)).toBe('login')
  expect((await ask('guess-1', address)).code).toBe(failures.identifierUnknown.code)
  expect((await ask(other.identifier, '2001:db8:9::1')).code).toBe(0)
})

test('pages count too', async () => {
  const address = '198.51.100.4'
  for (let n = 0; n < maxUnknownNames; n++) {
    expect(await page(`guess-${n}`, address)).toBe('identifier')
  }
  expect(await page(company.identifier, address)).toBe('identifier')
  expect((await ways.theme(company.identifier, address)).code).toBe(failures.tooManyAttempts.code)
})

test('one more name may be tried every thirty seconds', () => {
  let now = 0
  const guesses = limitNameGuesses(() => now)
  for (let n = 0; n < maxUnknownNames; n++) guesses.record('192.0.2.1', `guess-${n}`, false)
  expect(guesses.waitOf('192.0.2.1', 'aurora')).toBe(30)
  now = 29_500
  expect(guesses.waitOf('::ffff:192.0.2.1', 'aurora')).toBe(1)
  now = 30_000
  expect(guesses.waitOf('192.0.2.1', 'aurora')).toBeNull()
  guesses.record('192.0.2.1', 'guess-more', false)
  expect(guesses.waitOf('192.0.2.1', 'aurora')).toBe(30)
  // A name that was found costs nothing.
  now = 60_000
  guesses.record('192.0.2.1', 'aurora', true)
  expect(guesses.waitOf('192.0.2.1', 'lotus')).toBeNull()
})
