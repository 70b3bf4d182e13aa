import { request } from 'node:http'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'

// Paths that try to leave a folder or to end a name early. They are sent as they are; `fetch` would
// change them.
let company: TestCompany
let folder: string
let app: FastifyInstance
let port: number
let logged = ''
beforeAll(async () => {
  company = await testCompany()
  folder = await mkdtemp(join(tmpdir(), 'tillside-portal-'))
  await mkdir(join(folder, 'server'))
  await mkdir(join(folder, 'client/assets/inner'), { recursive: true })
  const page = `export const renderFirstPage = () => ({ html: '<p>', styleHashes: [] })`
  await writeFile(join(folder, 'server/first-page.js'), page)
  for (const name of ['worker.js', 'version.json', 'secret.js', 'assets/main-1.js']) {
    await writeFile(join(folder, 'client', name), '"secret"')
  }
  const lines = new Writable({
    write(line: Buffer, _encoding, done) {
      logged += line.toString()
      done()
    },
  })
  app = await createApp(company.database, pino({ level: 'warn' }, lines), { portal: folder })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  await app.close()
  await company.close()
  await rm(folder, { recursive: true })
})

function get(path: string): Promise<{ status: number; body: string }> {
  return new Promise((done, failed) => {
    const asking = request({ host: '127.0.0.1', port, path }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.once('end', () => done({ status: response.statusCode ?? 0, body }))
    })
    asking.once('error', failed).end()
  })
}

test('the file itself is served', async () => {
  expect(await get('/assets/main-1.js')).toEqual({ status: 200, body: '"secret"' })
})

const dots = ['..', '%2e%2e', '.%2e', '%2E%2E', '%252e%252e', '..%00', '%00..', '.', '%2e', '...']
const slashes = ['/', '%2f', '%5c', '\\', '%00', '//']
const paths = [
  ...dots.flatMap((dot) => slashes.map((slash) => `/assets/${dot}${slash}secret.js`)),
  ...['%00', 'main-1.js%00', 'main-1.js%00.html', 'main-1%2ejs%00', '%00main-1.js'].flatMap(
    (name) => [`/assets/${name}`, `/${name.replace('main-1', 'worker')}`],
  ),
  ...[
    '',
    '/',
    '/.',
    '/..',
    '/inner',
    '/inner/',
    '/inner/..',
    '/%zz',
    '/%c0%ae%c0%ae/x',
    '/%ff',
  ].map((rest) => `/assets${rest}`),
  ...['%00/x.svg', '%2e%2e/x.svg', 'x/%00', '..%2f/..%2f'].map((name) => `/web/logo/${name}`),
  '/worker.js/%2e%2e/version.json',
  '/web/%00',
  '/integration/v1/members/%00',
]

test.each(paths)('%s is not found, and no error is logged', async (path) => {
  logged = ''
  const { status, body } = await get(path)
  expect([status, body.includes('secret')]).toEqual([
    path.startsWith('/integration') ? 401 : 404,
    false,
  ])
  expect(logged).toBe('')
})
